// Tests threads of the program as the nodes of a team.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <doctest/doctest.h>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <optional>
#include <pthread.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/model/trace.hpp>
#include <vnode/vnode.hpp>

#include "joining.hpp"

using namespace vnode_test;

namespace {

/// A pool as programs have them.
class Pool {
 public:
  explicit Pool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void add(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    changed_.notify_all();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return over_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

TEST_CASE("threads of the program join a team, call as its nodes, and leave") {
  vnode::Team team{3, {.threads = vnode::Threads::callers, .time_limit = std::chrono::seconds(60)}};
  std::vector<int> sums(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      vnode::Membership me = team.join(i);
      sums[static_cast<std::size_t>(me->rank())] = me->all_reduce(i + 1, std::plus<>{});
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(sums == std::vector{6, 6, 6});
  CHECK(says(team, "threads: the program's, which join\npinning: off\n"));
}

TEST_CASE("the rank of a thread that names none is the lowest that is free") {
  vnode::Team team = joined_by(4);
  std::atomic<int> ranks = 0;
  on_threads(4, [&](int i) {
    vnode::Membership me = i == 2 ? team.join(3) : team.join();
    ranks += 1 << me->rank();
    CHECK(me->all_reduce(1, std::plus<>{}) == 4);
  });
  CHECK(ranks == 15);
}

TEST_CASE("the nodes of a team may be pthreads") {
  vnode::Team team = joined_by(3);
  struct Argument {
    vnode::Team& team;
    std::atomic<int> right = 0;
  } argument{team};
  pthread_t threads[3];
  for (pthread_t& thread : threads)
    REQUIRE(pthread_create(
                &thread, nullptr,
                [](void* given) -> void* {
                  auto& to = *static_cast<Argument*>(given);
                  if (works(*to.team.join())) ++to.right;
                  return nullptr;
                },
                &argument) == 0);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  CHECK(argument.right == 3);
}

TEST_CASE("the nodes of a team may be tasks of a pool, whichever threads run them") {
  vnode::Team team = joined_by(3);
  Pool pool(3);
  std::atomic<int> right = 0;
  for (int batch = 0; batch < 100; ++batch) {
    std::latch done(3);
    for (int i = 0; i < 3; ++i)
      pool.add([&, i] {
        {
          vnode::Membership me = team.join(i);
          if (works(*me)) ++right;
        }
        done.count_down();
      });
    done.wait();
  }
  CHECK(right == 300);
}

TEST_CASE("the nodes of a team may be oneTBB's tasks that run at the same time") {
  constexpr int nodes = 4;
  vnode::Team team = joined_by(nodes);
  const oneapi::tbb::global_control enough(oneapi::tbb::global_control::max_allowed_parallelism, nodes);
  oneapi::tbb::task_arena arena(nodes);
  std::atomic<int> right = 0;
  for (int time = 0; time < 3; ++time)
    arena.execute([&] {
      oneapi::tbb::task_group group;
      for (int i = 0; i < nodes; ++i)
        group.run([&] {
          vnode::Membership me = team.join();
          if (works(*me)) ++right;
        });
      group.wait();
    });
  CHECK(right == 3 * nodes);
}

TEST_CASE("tasks that cannot run at the same time are told which of them are missing") {
  // A task_arena of two threads takes two of four tasks, which wait for the others.
  vnode::TeamOptions options = callers();
  options.time_limit = std::chrono::milliseconds(300);
  vnode::Team team{4, options};
  const oneapi::tbb::global_control enough(oneapi::tbb::global_control::max_allowed_parallelism, 2);
  oneapi::tbb::task_arena arena(2);
  std::mutex mutex;
  std::vector<std::string> said;
  arena.execute([&] {
    oneapi::tbb::task_group group;
    for (int i = 0; i < 4; ++i)
      group.run([&, i] {
        const std::string text = said_by([&] { (void)team.join(i); });
        const std::lock_guard lock(mutex);
        said.push_back(text);
      });
    group.wait();
  });
  REQUIRE(said.size() == 4);
  for (const std::string& text : said) {
    CAPTURE(text);
    CHECK(text.find(" has waited longer than the time limit of 300 ms for all 4 nodes to join: node") !=
          text.npos);
    CHECK(text.ends_with(" missing"));
  }
  CHECK(still_works(team));
}

TEST_CASE("the nodes of a team may be what std::async and std::jthread start") {
  vnode::Team team = joined_by(3);
  std::atomic<int> right = 0;
  const auto join = [&] {
    if (works(*team.join())) ++right;
  };
  {
    const std::jthread thread(join);
    const std::future<void> called = std::async(std::launch::async, join);
    join();  // and who has started them
  }
  CHECK(right == 3);
}

TEST_CASE("64 threads join on whatever cores there are") {
  vnode::Team team = joined_by(64);
  std::atomic<int> right = 0;
  for (int time = 0; time < 3; ++time)
    on_threads(64, [&](int) {
      vnode::Membership me = team.join();
      if (works(*me)) ++right;
    });
  CHECK(right == 3 * 64);
}

TEST_CASE("threads join again as soon as they have left, as the same node and as another") {
  constexpr int nodes = 3, times = 1000;
  vnode::Team team = joined_by(nodes);
  on_threads(nodes, [&](int i) {
    for (int time = 0; time < times; ++time) {
      vnode::Membership me = time % 3 == 0 ? team.join() : team.join((i + time) % nodes);
      REQUIRE(me->all_reduce(time, vnode::maximum{}) == time);
    }
  });
}

TEST_CASE("one node is a team that a thread joins alone") {
  vnode::Team team = joined_by(1);
  for (int time = 0; time < 3; ++time) {
    vnode::Membership me = team.join();
    CHECK(me->all_reduce(5, std::plus<>{}) == 5);
  }
}

TEST_CASE("a thread leaves without waiting for the others, once") {
  vnode::Team team = joined_by(2);
  std::latch has_left(1);
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    CHECK(works(*me));
    if (i == 1) has_left.wait();  // never, if node 0 waited for this one
    me.leave();
    if (i == 0) has_left.count_down();
    me.leave();
  });
}

TEST_CASE("a membership moves, and the one that is left behind leaves nothing") {
  vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) {
    std::optional<vnode::Membership> kept;
    {
      vnode::Membership me = team.join(i);
      kept.emplace(std::move(me));
    }
    CHECK(works(**kept));
  });
}

TEST_CASE("the team may move while threads are joined") {
  std::optional<vnode::Team> team(joined_by(2)), moved;
  std::latch joined(2), has_moved(1);
  std::thread mover([&] {
    joined.wait();
    moved.emplace(std::move(*team));
    team.reset();
    has_moved.count_down();
  });
  on_threads(2, [&](int i) {
    vnode::Membership me = team->join(i);
    joined.count_down();
    has_moved.wait();
    CHECK(works(*me));
  });
  mover.join();
  CHECK(still_works(*moved));
}

TEST_CASE("groups, calls in flight, planned calls and traces of joined threads are as in run()") {
  constexpr int nodes = 4;
  vnode::Team team{nodes, vnode::shapes::mesh{2, 2}, callers()};
  std::vector<vnode::Group> rows(nodes);
  std::vector<std::vector<int>> data(nodes, std::vector<int>(3000));
  std::vector<vnode::Persistent> planned(nodes);
  team.trace(1000);
  for (int time = 0; time < 3; ++time)
    on_threads(nodes, [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      vnode::Membership me = team.join(i);
      if (time == 0) {
        rows[at] = me->split(vnode::shapes::along{1});
        planned[at] = me->persistent().all_reduce(data[at], std::plus<>{});
      }
      data[at].assign(3000, i);
      planned[at].start();
      CHECK(rows[at].all_reduce(i, std::plus<>{}) == (i < 2 ? 1 : 5));
      int next = -1;
      vnode::Request coming = me->irecv(next, (i + nodes - 1) % nodes, 3);
      me->send(i, (i + 1) % nodes, 3);
      coming.wait();
      CHECK(next == (i + nodes - 1) % nodes);
      planned[at].wait();
      CHECK(data[at] == std::vector<int>(3000, 6));
    });
  const vnode::Trace trace = team.take_trace();
  CHECK(trace.calls.size() > 0);
  CHECK(trace.dropped == 0);
}

TEST_CASE("a thread is a node of several teams at a time, and a node of one may run or join another") {
  vnode::Team outer = joined_by(2), inner = joined_by(2);
  std::vector<std::unique_ptr<vnode::Team>> own;
  for (int i = 0; i < 2; ++i) own.push_back(std::make_unique<vnode::Team>(2, patient()));
  on_threads(2, [&](int i) {
    vnode::Membership me = outer.join(i);
    {
      vnode::Membership also = inner.join(1 - i);
      CHECK(also->rank() == 1 - me->rank());
      CHECK(works(*also));
      CHECK(works(*me));
      own[static_cast<std::size_t>(i)]->run([](vnode::Node& node) { CHECK(works(node)); });
    }
    CHECK(works(*me));
  });
  vnode::Team running{2, patient()};
  running.run([&](vnode::Node& node) {
    vnode::Membership me = inner.join(node.rank());
    CHECK(works(*me));
    CHECK(works(node));
  });
}

TEST_CASE("a team of callers chooses its algorithms by costs that it measures, also within a call") {
  vnode::Team team = joined_by(2);
  CHECK(team.costs().t_s > 0);
  vnode::Team other = joined_by(2);
  on_threads(2, [&](int i) { CHECK(works(*other.join(i))); });
}
