// Threads of the program as the nodes of a team.
#include <atomic>
#include <condition_variable>
#include <deque>
#include <doctest/doctest.h>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <optional>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/lab/trace.hpp>
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

TEST_CASE("an exception that leaves a membership ends the run: others leave their calls by Aborted") {
  vnode::Team team = joined_by(3);
  for (int time = 0; time < 3; ++time) {
    std::atomic<int> own = 0, aborted = 0;
    on_threads(3, [&](int i) {
      try {
        vnode::Membership me = team.join(i);
        if (i == time) throw std::runtime_error("no input");
        for (;;) me->barrier();
      } catch (const vnode::Aborted&) {
        ++aborted;
      } catch (const std::runtime_error& error) {
        if (std::string(error.what()) == "no input") ++own;
      }
      // At once, by the same thread.
      vnode::Membership me = team.join(i);
      CHECK(works(*me));
    });
    CHECK(own == 1);
    CHECK(aborted == 2);
  }
  CHECK(still_works(team));
}

TEST_CASE("an exception that is thrown and caught within a membership ends nothing, nor does one around it") {
  vnode::Team team = joined_by(2);
  struct JoinsWhenItEnds {
    vnode::Team& team;
    int rank;
    ~JoinsWhenItEnds() {
      vnode::Membership me = team.join(rank);
      CHECK(works(*me));
    }
  };
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    try {
      throw std::runtime_error("no harm");
    } catch (const std::runtime_error&) {
    }
    CHECK(works(*me));
    me.leave();
    try {
      const JoinsWhenItEnds joins{team, i};
      throw std::runtime_error("unwinds a thread that joins");
    } catch (const std::runtime_error&) {
    }
  });
}

TEST_CASE("a call that fails in one thread is told there, and the team can be joined again") {
  vnode::Team team = joined_by(2);
  std::vector<std::string> said(2);
  on_threads(2, [&](int i) {
    said[static_cast<std::size_t>(i)] = said_by([&] {
      vnode::Membership me = team.join(i);
      int x[2] = {};
      if (i == 0)
        me->recv(x, 1);
      else
        me->send(std::vector<int>(5), 0);
    });
  });
  CHECK(said[0].find("5 elements") != std::string::npos);
  CHECK(still_works(team));
}

TEST_CASE("what the end of a run finds is told to the thread that leaves last") {
  vnode::Team team = joined_by(2);
  std::latch has_left(1);
  std::vector<std::string> said(2);
  on_threads(2, [&](int i) {
    said[static_cast<std::size_t>(i)] = said_by([&] {
      {
        vnode::Membership me = team.join(i);
        if (i == 0) me->send(7, 1);
        if (i == 1) has_left.wait();
      }
    });
    if (i == 0) has_left.count_down();
  });
  CHECK(said[0] == "");
  CHECK(said[1].find("node 0") != std::string::npos);
  CHECK(still_works(team));
}

TEST_CASE("a thread that leaves while a request is alive is told, and no node looks at its data any more") {
  vnode::Team team = joined_by(2);
  std::vector<std::string> said(2);
  on_threads(2, [&](int i) {
    std::vector<int> x(5000, i);
    vnode::Request sum;
    said[static_cast<std::size_t>(i)] = said_by([&] {
      vnode::Membership me = team.join(i);
      if (i == 0) sum = me->nonblocking().all_reduce(x, std::plus<>{});
      if (i == 1) me->barrier();
    });
    if (i == 0) {
      // The others may be in the run still.
      const std::string text = said_by([&] { sum.wait(); });
      const bool told = text == "the run has ended before this call was complete" ||
                        text.starts_with("this call was in flight when its run ended, and is lost");
      CHECK(told);
    }
  });
  CHECK(said[0] == "node 0 has left the run with a request that was not waited for");
  CHECK(said[1] == "another node has failed");
  CHECK(still_works(team));
}

TEST_CASE(
    "threads that wait for others longer than the time limit are told who is missing, and may try again") {
  vnode::TeamOptions options = callers();
  options.time_limit = std::chrono::milliseconds(500);
  vnode::Team team{5, options};
  std::vector<std::string> said(2);
  on_threads(
      2, [&](int i) { said[static_cast<std::size_t>(i)] = said_by([&] { (void)team.join(2 * i + 1); }); });
  CHECK(said[0] == said[1]);
  CHECK((said[0].starts_with("node 1 has") || said[0].starts_with("node 3 has")));
  CHECK(
      said[0].ends_with(" has waited longer than the time limit of 500 ms for all 5 nodes to join: nodes "
                        "0,2,4 are missing"));
  CHECK(said_by([&] { (void)team.join(0); }) ==
        "node 0 has waited longer than the time limit of 500 ms for all 5 nodes to join: nodes 1-4 are "
        "missing");
  CHECK(team.report().find("nodes: 5") == 0);
}

TEST_CASE("a thread that waits for the run before longer than the time limit is told who has not left") {
  vnode::TeamOptions options = callers();
  options.time_limit = std::chrono::milliseconds(2000);
  vnode::Team team{2, options};
  std::latch told(1);
  on_threads(2, [&](int i) {
    {
      vnode::Membership me = team.join(i);
      if (i == 1) told.wait();
    }
    if (i == 1) return;
    CHECK(said_by([&] { (void)team.join(); }) ==
          "join() has waited longer than the time limit of 2000 ms for the run before to end: node 1 is "
          "joined");
    told.count_down();
  });
}

TEST_CASE("a node that is used by another thread than its own says so") {
  constexpr const char* by_another =
      "node 1 is used by another thread than its own: nodes, groups and calls are used by the thread that is "
      "the node";
  const auto uses = [&](vnode::Node& me) {
    std::vector<int> x(10);
    vnode::Persistent planned = me.persistent().broadcast(x);
    vnode::Group half = me.split(0);
    if (me.rank() == 1)
      std::thread([&] {
        CHECK(said_by([&] { me.barrier(); }) == by_another);
        CHECK(said_by([&] { half.broadcast(x); }) == by_another);
        CHECK(said_by([&] { (void)me.nonblocking(); }) == by_another);
        CHECK(said_by([&] { (void)me.irecv(x, 0); }) == by_another);
        CHECK(said_by([&] { planned.start(); }) == by_another);
      }).join();
    CHECK(works(me));
  };
  vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) { uses(*team.join(i)); });
  vnode::Team running{2, patient()};
  running.run(uses);
}

TEST_CASE("a request that another thread waits for says so") {
  vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    int x = 0;
    vnode::Request coming;
    if (i == 0) {
      coming = me->irecv(x, 1);
      std::thread([&] {
        CHECK(said_by([&] { coming.test(); }).starts_with("node 0 is used by another thread"));
      }).join();
    }
    me->barrier();
    if (i == 1) me->send(5, 0);
    coming.wait();
    CHECK(x == (i == 0 ? 5 : 0));
  });
}

TEST_CASE("a membership is left by its own thread, and its node is not used afterwards") {
  vnode::Team team = joined_by(2);
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    std::thread([&] {
      CHECK(said_by([&] { me.leave(); }) ==
            "node " + std::to_string(i) + " is left by another thread than its own");
    }).join();
    CHECK(works(*me));
    vnode::Node& node = *me;
    me.leave();
    CHECK(
        said_by([&] { node.barrier(); }) ==
        "node " + std::to_string(i) +
            " is used while no thread is joined as it: nodes, groups and calls are used by threads that have "
            "joined, until they leave");
    CHECK(said_by([&] { me->barrier(); }) == said_by([&] { node.barrier(); }));
    CHECK(node.size() == 2);
  });
}

TEST_CASE("joining out of place says what is wrong, and disturbs nobody") {
  vnode::Team team = joined_by(2);
  CHECK(said_by([&] { (void)team.join(2); }) == "join(2): there is no such node, ranks are 0 to 1");
  CHECK(said_by([&] { (void)team.join(-1); }) == "join(-1): there is no such node, ranks are 0 to 1");
  CHECK(said_by([&] { team.run([](vnode::Node&) {}); }) ==
        "run() of a team of callers, which has no threads: threads of the program join() it; a team made "
        "with Threads::own can run()");
  vnode::Team running{2, patient()};
  constexpr const char* has_threads =
      "join() of a team that has threads of its own: it can run(); a team made with Threads::callers can be "
      "joined";
  CHECK(said_by([&] { (void)running.join(0); }) == has_threads);
  running.run([&](vnode::Node&) { CHECK(said_by([&] { (void)running.join(); }) == has_threads); });
  std::latch looked(1);
  on_threads(2, [&](int i) {
    vnode::Membership me = team.join(i);
    if (i == 0) {
      const std::string already = "join() by a thread that is node 0 of this team already: it leaves first";
      CHECK(said_by([&] { (void)team.join(0); }) == already);
      CHECK(said_by([&] { (void)team.join(1); }) == already);
      CHECK(said_by([&] { (void)team.join(); }) == already);
      std::thread([&] {
        CHECK(said_by([&] { (void)team.join(1); }) ==
              "join(1): another thread has joined as node 1, and has not left");
        CHECK(said_by([&] { (void)team.join(); }) ==
              "join() by one thread too many: 2 have joined, which are all nodes");
      }).join();
      for (const auto& [name, use] : std::vector<std::pair<std::string, std::function<void()>>>{
               {"trace()", [&] { team.trace(10); }},
               {"take_trace()", [&] { team.take_trace(); }},
               {"costs()", [&] { team.costs(); }},
               {"memory()", [&] { team.memory(); }},
               {"report()", [&] { team.report(); }}})
        CHECK(said_by(use) ==
              name + " while threads are joined: call it before the first joins or after the last has left");
      looked.count_down();
    }
    looked.wait();
    CHECK(works(*me));
  });
}

TEST_CASE("the same rank asked for twice is refused while threads gather, too") {
  vnode::Team team = joined_by(3);
  std::thread first([&] { CHECK(works(*team.join(1))); });
  // Whichever comes second is refused, and comes back as another node.
  std::atomic<int> refused = 0;
  on_threads(2, [&](int) {
    for (;;) {
      std::optional<vnode::Membership> me;
      const std::string text = said_by([&] { me.emplace(team.join(refused == 0 ? 0 : 2)); });
      if (me) {
        CHECK(works(**me));
        return;
      }
      REQUIRE(text == "join(0): another thread has joined as node 0, and has not left");
      refused = 1;
    }
  });
  first.join();
  CHECK(refused == 1);
}

TEST_CASE("options that are about the caller of run() are refused for a team of callers") {
  vnode::TeamOptions options = callers();
  options.apart = true;
  CHECK(said_by([&] { vnode::Team(2, options); }) ==
        "TeamOptions::apart is about the thread that calls run(): a team of callers has none, its threads "
        "join()");
  options.apart = false;
  options.keep_caller_pinned = true;
  CHECK(said_by([&] {
          vnode::Team(2, options);
        }).starts_with("TeamOptions::keep_caller_pinned is about the thread that calls run()"));
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
