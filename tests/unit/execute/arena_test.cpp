#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <mutex>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/vnode.hpp>

#include "arenas.hpp"
#include "child_case.hpp"
#include "machine/binding.hpp"
#include "sentence.hpp"
#include "unit/bench/sanitizer.hpp"

using namespace vnode;
using vnode_test::says;
using vnode_test::two_domains;
using vnode_test::with_arenas;

namespace {

/// Until `done`, or for a minute.
template <class Done>
void wait_until(const Done& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!done() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

}  // namespace

TEST_CASE("only the node itself calls an operator that may have a state" * doctest::skip()) {
  Team team(2, shapes::full{}, with_arenas());
  team.run([](Node& me) {
    std::mutex mutex;
    std::set<std::thread::id> callers{std::this_thread::get_id()};
    std::vector<double> x(20'000);
    for (int time = 0; time < 20; ++time) {
      std::ranges::fill(x, 1);
      me.arena().parallel_for(0, 1000, [](std::size_t, std::size_t) { std::this_thread::yield(); });
      me.all_reduce(x, [&, calls = 0](double a, double b) mutable {
        if (calls++ % 500 == 0) {
          std::this_thread::yield();  // who would help has the time
          const std::lock_guard lock(mutex);
          callers.insert(std::this_thread::get_id());
        }
        return a + b;
      });
      CHECK(x.front() == 2);
    }
    CHECK(callers.size() == 1);
  });
}

TEST_CASE("every node has an equal share of its domain and at least its own PU" * doctest::skip()) {
  struct Case {
    int nodes, threads;
  };
  for (const Case one : {Case{2, 4}, Case{4, 2}, Case{8, 1}, Case{11, 1}}) {
    CAPTURE(one.nodes);
    Team team(one.nodes, shapes::full{}, with_arenas());
    team.run([&, expected = one.threads](Node& me) {
      Arena& arena = me.arena();
      CHECK(arena.concurrency() == expected);
      CHECK(arena.pus().size() == static_cast<std::size_t>(expected));
      std::vector<double> x(100'000);
      arena.fill(x, me.rank() + 1);
      me.all_reduce(x, std::plus<>{});
      const int sum = me.size() * (me.size() + 1) / 2;
      CHECK(std::ranges::count(x, sum) == 100'000);
    });
  }
  CHECK(says(
      Team(2, shapes::full{}, with_arenas()),
      "mapping: one_per_numa\npinning: none, since the machine is described by a file or a text and is not "
      "this one\narenas: by numa: 4 threads on 0-3, 4 threads on 4-7; workers not pinned\n"));
  CHECK(says(Team(4, shapes::full{}, with_arenas()), "mapping: scatter\n"));
  CHECK(says(Team(1, shapes::full{}, with_arenas(DomainLevel::package)),
             "arenas: by package: 8 threads on 0-7;"));
}

TEST_CASE("workers come and a thread that waits for parts does nothing else meanwhile" * doctest::skip()) {
  Team team(2, shapes::full{}, with_arenas());
  team.run([](Node& me) {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    wait_until([&] {
      me.arena().parallel_for(0, 1000, [&](std::size_t, std::size_t) {
        std::this_thread::yield();
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
      return threads.size() > 1;
    });
    CHECK(threads.size() > 1);

    // A task that waits for what the node does later: it must not be begun by the node's own thread.
    for (int time = 0; time < 20; ++time) {
      std::atomic<bool> go{false};
      const auto node = std::this_thread::get_id();
      bool begun_here = false;
      me.arena().execute([&] {
        oneapi::tbb::task_group group;
        group.run([&] {
          if (std::this_thread::get_id() == node && !go)
            begun_here = true;
          else
            wait_until([&] { return go.load(); });
        });
        std::vector<double> x(100'000, 1);
        me.all_reduce(x, std::plus<>{});
        me.arena().parallel_for(0, 1000, [](std::size_t, std::size_t) { std::this_thread::yield(); });
        go = true;
        group.wait();
      });
      CHECK_FALSE(begun_here);
    }
  });
}

TEST_CASE("loops of the program itself beside and in arenas hold nobody up" * doctest::skip()) {
  namespace tbb = oneapi::tbb;
  std::atomic<bool> over{false};
  std::atomic<long> loops{0};
  std::thread beside([&] {
    while (!over)
      tbb::parallel_for(0, 64, [&](int) {
        tbb::parallel_for(0, 8, [&](int) { loops.fetch_add(1, std::memory_order_relaxed); });
        std::this_thread::yield();
      });
  });
  Team team(3, shapes::ring{}, with_arenas());
  team.run([&](Node& me) {
    std::vector<double> x(50'000);
    for (int time = 0; time < 20; ++time) {
      std::ranges::fill(x, 1);
      me.all_reduce(x, std::plus<>{});
      CHECK(x.back() == 3);
      // In the node's arena, nested; then in the program's.
      std::atomic<int> count{0};
      me.arena().execute(
          [&] { tbb::parallel_for(0, 10, [&](int) { tbb::parallel_for(0, 10, [&](int) { ++count; }); }); });
      tbb::parallel_for(0, 100, [&](int) { ++count; });
      CHECK(count == 200);
      // A request in flight meanwhile.
      Request request = me.nonblocking().all_reduce(x, std::plus<>{});
      me.arena().parallel_for(
          0, 100, [&](std::size_t first, std::size_t last) { count += static_cast<int>(last - first); });
      request.wait();
      CHECK(count == 300);
      CHECK(x.front() == 9);
    }
  });
  over = true;
  beside.join();
  CHECK(loops > 0);
}

TEST_CASE("a team of arenas ends its run when a node fails and works on" * doctest::skip()) {
  Team team(4, shapes::full{}, with_arenas());
  const std::string text = vnode_test::sentence<std::runtime_error>(team, [](Node& me) {
    std::vector<float> x(300'000, 1);
    for (int time = 0; time < 5; ++time) {
      if (time == 3 && me.rank() == 2) throw std::runtime_error("out of patience");
      me.all_reduce(x, std::plus<>{});
    }
  });
  CHECK(text == "out of patience");
}

TEST_CASE("arenas work, on a machine with two domains of four PUs") {
  for (const char* title : {"only the node itself calls an operator that may have a state",
                            "every node has an equal share of its domain and at least its own PU",
                            "workers come and a thread that waits for parts does nothing else meanwhile",
                            "loops of the program itself beside and in arenas hold nobody up",
                            "a team of arenas ends its run when a node fails and works on"})
    check_case_passes(two_domains, title);
}

TEST_CASE("parts of a loop in an arena write to one place" * doctest::skip()) {
  Team team(1, shapes::full{}, with_arenas());
  team.run([](Node& me) {
    long place = 0;
    std::mutex mutex;
    std::set<std::thread::id> threads;
    wait_until([&] {
      me.arena().parallel_for(0, 1000, [&](std::size_t, std::size_t) {
        ++place;
        std::this_thread::yield();
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
      return threads.size() > 1;
    });
    CHECK(place > 0);
  });
}

// It forgets where an access was once other work has filled its history; on a busy machine that may come
// first.
TEST_CASE("the thread sanitizer, where it looks on, sees a race between parts of an arena's loop") {
  ChildEnd end;
  for (int attempt = 0; attempt < 10; ++attempt) {
    end = run_case(two_domains, "parts of a loop in an arena write to one place");
    if (!thread_sanitizer || end.output.find("data race") != std::string::npos) break;
  }
  CAPTURE(end.output);
  CHECK((end.status != 0) == thread_sanitizer);
  CHECK((end.output.find("data race") != std::string::npos) == thread_sanitizer);
}

TEST_CASE("a team of one node has all its domain in its arena") {
  Team team(1, shapes::full{}, with_arenas(DomainLevel::package));
  team.run([&](Node& me) {
    PlacedBuffer<int> x(1 << 20);
    me.arena().fill(x, 7);
    std::vector<int> out(x.size());
    me.all_reduce(x, out, std::plus<>{});
    CHECK(std::ranges::count(out, 7) == 1 << 20);
    CHECK(me.arena().execute([&] { return std::to_string(out.back()); }) == "7");
  });
}

TEST_CASE("where nodes share PUs an arena has the node's own thread only, and works") {
  const int nodes = 3 * static_cast<int>(Machine::discover().allowed_pus().size());
  Team team(nodes, shapes::ring{}, with_arenas());
  team.run([&](Node& me) {
    CHECK(me.arena().concurrency() == 1);
    const auto own = std::this_thread::get_id();
    std::vector<int> x(50'000);
    me.arena().parallel_for(0, x.size(), [&](std::size_t first, std::size_t last) {
      CHECK(std::this_thread::get_id() == own);
      for (std::size_t i = first; i < last; ++i) x[i] = me.rank();
    });
    me.all_reduce(x, std::plus<>{});
    CHECK(std::ranges::count(x, nodes * (nodes - 1) / 2) == 50'000);
  });
}

TEST_CASE("workers of an arena are pinned to its PUs, the node stays on its own, and all have theirs back") {
  const std::vector<int> before = thread_affinity();
  const Machine machine = Machine::discover();
  std::mutex mutex;
  std::set<std::thread::id> workers;
  {
    Team team(1, shapes::full{}, with_arenas(DomainLevel::package));
    team.run([&](Node& me) {
      Arena& arena = me.arena();
      const std::vector<int> node = thread_affinity();
      CHECK(node.size() == 1);
      std::set<int> others;
      for (const int pu : arena.pus()) others.insert(machine.pus[static_cast<std::size_t>(pu)].os_index);
      if (others.size() > 1) others.erase(node.front());
      const auto own = std::this_thread::get_id();
      wait_until([&] {
        arena.parallel_for(0, 1000, [&](std::size_t, std::size_t) {
          std::this_thread::yield();
          const std::vector<int> here = thread_affinity();
          const std::lock_guard lock(mutex);
          if (std::this_thread::get_id() == own) {
            CHECK(here == node);
          } else {
            CHECK(here == std::vector<int>(others.begin(), others.end()));
            workers.insert(std::this_thread::get_id());
          }
        });
        return !workers.empty() || arena.concurrency() == 1;
      });
      // Another thread of the user's.
      std::thread([&] {
        const std::vector<int> inherited = thread_affinity();
        arena.execute([&] { CHECK(thread_affinity() == std::vector<int>(others.begin(), others.end())); });
        CHECK(thread_affinity() == inherited);
      }).join();
    });
    CHECK(says(team, "; workers pinned, "));
  }
  CHECK(thread_affinity() == before);
}

TEST_CASE(
    "a thread that enters an arena out of another one again keeps its pin until it has left both times") {
  Team one(1, shapes::full{}, with_arenas(DomainLevel::package)),
      other(1, shapes::full{}, with_arenas(DomainLevel::package));
  const auto arena_of = [](Team& team) {
    Arena* arena = nullptr;
    team.run([&](Node& me) { arena = &me.arena(); });
    return arena;
  };
  Arena& outer = *arena_of(one);
  Arena& inner = *arena_of(other);
  std::thread([&] {
    const std::vector<int> before = thread_affinity();
    outer.execute([&] {
      const std::vector<int> pinned = thread_affinity();
      CHECK((pinned != before || outer.concurrency() == 1));
      inner.execute([&] {
        outer.execute([&] { CHECK(thread_affinity() == pinned); });
        CHECK(thread_affinity() == pinned);
      });
      CHECK(thread_affinity() == pinned);
    });
    CHECK(thread_affinity() == before);
  }).join();
}

TEST_CASE("a worker that is still in the arena when the team ends has its affinity back") {
  const std::vector<int> before = thread_affinity();
  std::atomic<bool> begun{false}, ended{false}, looked{false};
  {
    Team team(1, shapes::full{}, with_arenas(DomainLevel::package));
    team.run([&](Node& me) {
      me.arena().native<oneapi::tbb::task_arena>().enqueue([&] {
        begun = true;
        wait_until([&] { return ended.load(); });
        CHECK(thread_affinity() == before);
        looked = true;
      });
      wait_until([&] { return begun.load(); });
    });
  }
  ended = true;
  wait_until([&] { return looked.load(); });
  CHECK(looked);
}

TEST_CASE("oneTBB has all PUs although a team has pinned the main thread before" * doctest::skip()) {
  const std::size_t pus = thread_affinity().size();
  Team team(2);
  team.run([](Node& me) { me.barrier(); });
  CHECK(static_cast<std::size_t>(oneapi::tbb::info::default_concurrency()) == pus);
}

TEST_CASE("a team leaves all PUs to oneTBB") {
  check_case_passes("", "oneTBB has all PUs although a team has pinned the main thread before");
}

TEST_CASE("exceptions leave an arena as they are, and an arena without a team's leave is none") {
  Team team(1, shapes::full{}, with_arenas());
  team.run([](Node& me) {
    CHECK_THROWS_WITH(me.arena().execute([] { throw std::runtime_error("no"); }), "no");
    CHECK_THROWS_WITH(
        me.arena().parallel_for(0, 10, [](std::size_t, std::size_t) { throw std::runtime_error("never"); }),
        "never");
    me.arena().parallel_for(3, 3, [](std::size_t, std::size_t) { throw std::runtime_error("nothing"); });
    CHECK(me.arena().native<oneapi::tbb::task_arena>().max_concurrency() >= me.arena().concurrency());
    CHECK_THROWS_WITH_AS(me.arena().native<std::string>(),
                         doctest::Contains("is a tbb::task_arena of the oneTBB"), UsageError);
  });
  CHECK(vnode_test::refusal(2, [](Node& me) { me.arena(); }) ==
        "this team's nodes have no arenas: set TeamOptions::arenas, to DomainLevel::numa for instance, or "
        "VNODE_ARENAS=numa");
}

TEST_CASE("the environment gives a team arenas, takes them away, and is told what it may say") {
  const auto report = [](const char* value, const TeamOptions& options) {
    setenv("VNODE_ARENAS", value, 1);
    std::string text;
    try {
      text = Team(2, shapes::full{}, options).report();
    } catch (const UsageError& error) {
      text = error.what();
    }
    unsetenv("VNODE_ARENAS");
    return text;
  };
  const std::string given = report("package", {});
  CHECK(given.find("arenas: by package: ") != std::string::npos);
  CHECK(given.find("from the environment: VNODE_ARENAS=package\n") != std::string::npos);
  CHECK(report("off", with_arenas()).find("arenas: ") == std::string::npos);
  CHECK(report("core", {}) == "VNODE_ARENAS=core: it may be one of l3, numa, package, machine, off");
}
