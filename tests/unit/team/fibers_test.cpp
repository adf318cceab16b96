#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <optional>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/join.hpp>
#include <vnode/numa.hpp>
#include <vnode/team.hpp>

#include "base/doorbell.hpp"
#include "base/this_thread.hpp"
#include "child_case.hpp"

using namespace vnode;

namespace {

TeamOptions as_fibers() {
  TeamOptions options;
  options.nodes = Nodes::fibers;
  return options;
}

}  // namespace

TEST_CASE("more nodes than PUs run as fibers: those of a PU on one thread, neighbours together") {
  constexpr int nodes = 64;
  Team team(nodes, shapes::hypercube{}, as_fibers());
  std::vector<std::thread::id> threads(nodes);
  team.run([&](Node& me) {
    threads[static_cast<std::size_t>(me.rank())] = std::this_thread::get_id();
    const int sum = me.all_reduce(me.rank(), std::plus<>());
    CHECK(sum == nodes * (nodes - 1) / 2);
    std::vector<int> all(nodes);
    me.all_gather(std::vector{me.rank()}, all);
    CHECK(std::ranges::is_sorted(all));
  });
  CHECK(threads[0] == std::this_thread::get_id());
  const auto changes = [&] {
    int count = 0;
    for (std::size_t i = 1; i < threads.size(); ++i) count += threads[i] != threads[i - 1];
    return count;
  }();
  CHECK(changes < static_cast<int>(std::thread::hardware_concurrency()));
}

TEST_CASE("nodes that have a PU each are threads, whatever is asked for") {
  Team team(1, as_fibers());
  team.run([](Node&) { CHECK(running_fiber == nullptr); });
}

TEST_CASE("runs may be called by different threads, of which one has ended") {
  Team team(12, as_fibers());
  const auto run = [&] {
    std::atomic<int> fibers{0};
    team.run([&](Node& me) {
      if (running_fiber != nullptr) ++fibers;
      me.barrier();
      if (running_fiber != nullptr) ++fibers;
    });
    CHECK(fibers == 24);
    CHECK(running_fiber == nullptr);
  };
  for (int i = 0; i < 3; ++i) {
    std::thread(run).join();
    run();
  }
}

TEST_CASE("messages, requests and splits work among fibers of one carrier and of several") {
  Team team(24, shapes::torus{4, 6}, as_fibers());
  team.run([](Node& me) {
    const int next = (me.rank() + 1) % me.size(), before = (me.rank() + me.size() - 1) % me.size();
    int got = -1;
    Request receiving = me.irecv(std::span(&got, 1), before);
    me.send(std::vector{me.rank()}, next);
    while (!receiving.test()) {
    }
    CHECK(got == before);
    Group row = me.split(me.rank() / 6, 0);
    CHECK(row.all_reduce(1, std::plus<>()) == 6);
    std::vector<double> large(20000, 1.0), sum(large.size());
    me.all_reduce(large, sum, std::plus<>());
    CHECK(sum.back() == 24.0);
  });
}

TEST_CASE("an exception that leaves a fiber ends the run for all, and the team works on") {
  Team team(32, as_fibers());
  for (const int thrower : {0, 5, 31}) {
    std::atomic<int> aborted{0};
    CHECK_THROWS_WITH_AS(team.run([&](Node& me) {
      if (me.rank() == thrower) throw std::runtime_error("no more");
      try {
        for (;;) me.barrier();
      } catch (const Aborted&) {
        ++aborted;
        throw;
      }
    }),
                         "no more", std::runtime_error);
    CHECK(aborted == 31);
  }
  team.run([](Node& me) { me.barrier(); });
}

TEST_CASE("a deadlock of fibers is certain, too, and calls that do not match are named") {
  Team team(16, as_fibers());
  CHECK_THROWS_AS(team.run([](Node& me) {
    int got = 0;
    me.recv(std::span(&got, 1), (me.rank() + 1) % me.size());
  }),
                  Deadlock);
  CHECK_THROWS_AS(team.run([](Node& me) {
    if (me.rank() == 3)
      me.barrier();
    else
      static_cast<void>(me.all_reduce(1, std::plus<>()));
  }),
                  Mismatch);
}

TEST_CASE("a node that waits longer than the time limit says so") {
  TeamOptions options = as_fibers();
  options.time_limit = std::chrono::milliseconds(30);
  options.deadlocks = false;
  Team team(8, options);
  CHECK_THROWS_AS(team.run([](Node& me) {
    if (me.rank() != 5) me.barrier();
    while (me.rank() == 5 && me.size() > 0) me.recv(std::span<int>(), 4);
  }),
                  TimeLimitExceeded);
}

TEST_CASE("who looks for what another node does without a call yields, and hears of its failure") {
  for (const Nodes nodes : all_nodes()) {
    TeamOptions options;
    options.nodes = nodes;
    Team team(6, options);
    std::atomic<int> turn{0};
    team.run([&](Node& me) {
      while (turn.load() != 5 - me.rank()) me.yield();
      ++turn;
    });
    CHECK(turn == 6);
    CHECK_THROWS_WITH_AS(team.run([&](Node& me) {
      if (me.rank() == 5) throw std::runtime_error("gone");
      for (;;) me.yield();
    }),
                         "gone", std::runtime_error);
  }
}

TEST_CASE("the report says which nodes share a thread") {
  Team team(8, as_fibers());
  const std::string report = team.report();
  CHECK(report.find("nodes: 8 as full, fibers on ") == 0);
  CHECK(report.find("\n     5 ") != std::string::npos);
}

TEST_CASE("a node of another fiber is refused, as that of another thread is") {
  Team team(8, as_fibers());
  Node* other = nullptr;
  CHECK_THROWS_AS(team.run([&](Node& me) {
    if (me.rank() == 1) other = &me;
    me.barrier();
    if (me.rank() == 0) other->barrier();
  }),
                  UsageError);
}

TEST_CASE("overflows the stack of a fiber" * doctest::skip()) {
  static const volatile std::size_t deepest = std::size_t{1} << 30;
  static const auto descend = [](const auto& self, std::size_t depth) -> std::size_t {
    volatile char much[1024] = {};
    if (depth == deepest) return 0;
    return self(self, depth + 1) + static_cast<std::size_t>(much[depth % 1024]);
  };
  Team team(12, as_fibers());
  team.run([](Node& me) {
    me.barrier();
    if (me.rank() == 9) static_cast<void>(descend(descend, 0));
    me.barrier();
  });
}

TEST_CASE("a stack that overflows ends the process, and the node is named") {
  const ChildEnd end = run_case("timeout 60", "overflows the stack of a fiber");
  CAPTURE(end.output);
  CHECK(end.status != 0);
  CHECK(end.output.find(
            "vnode: the stack of node 9 has overflowed: its fiber has 256 KiB (TeamOptions::stack)") !=
        std::string::npos);
}

TEST_CASE("ends its thread as a fiber" * doctest::skip()) {
  Team team(12, as_fibers());
  team.run([](Node& me) {
    if (me.rank() == 4) pthread_exit(nullptr);
    me.barrier();
  });
}

TEST_CASE("a fiber that ends its thread ends the process, and is named") {
  if (sanitized_threads) return;  // the sanitizer itself refuses pthread_exit() in a fiber
  const ChildEnd end = run_case("timeout 60", "ends its thread as a fiber");
  CAPTURE(end.output);
  CHECK(end.status != 0);
  CHECK(end.output.find("vnode: node 4 ends its thread") != std::string::npos);
}

TEST_CASE("a stack that is too small is refused") {
  TeamOptions options = as_fibers();
  options.stack = 100;
  CHECK_THROWS_WITH_AS(Team(8, options), "TeamOptions::stack is 100 bytes: a fiber needs 16384 or more",
                       UsageError);
}

TEST_CASE("arenas help fibers, and oneTBB works within their bodies") {
  TeamOptions options = as_fibers();
  options.arenas = DomainLevel::machine;
  options.arenas_from = 1 << 16;
  Team team(12, options);
  team.run([](Node& me) {
    std::vector<int> squares(5000);
    me.arena().parallel_for(
        0, squares.size(),
        [&](std::size_t first, std::size_t last) {
          for (std::size_t i = first; i < last; ++i) squares[i] = static_cast<int>(i * i % 1000);
        },
        100);
    CHECK(squares[4001] == 1);
    std::vector<double> large(40000, 1.0 + me.rank());
    for (int i = 0; i < 3; ++i) {
      me.all_reduce(large, maximum{});
      CHECK(large.back() == 12.0);
    }
  });
}

TEST_CASE("a fiber runs another team, of threads or of fibers, and does not join one") {
  for (const Nodes nodes : all_nodes()) {
    TeamOptions inner = as_fibers();
    inner.nodes = nodes;
    Team team(10, as_fibers());
    team.run([&](Node& me) {
      if (me.rank() % 3 == 0) {
        Team own(6, inner);
        own.run([&](Node& within) { CHECK(within.all_reduce(me.rank(), maximum{}) == me.rank()); });
      }
      CHECK(me.all_reduce(1, std::plus<>{}) == 10);
    });
  }
  TeamOptions joined = as_fibers();
  joined.threads = Threads::callers;
  Team beside(1, joined), team(8, as_fibers());
  CHECK_THROWS_WITH_AS(team.run([&](Node&) { static_cast<void>(beside.join()); }),
                       doctest::Contains("join() by a node that is a fiber"), UsageError);
}

TEST_CASE("threads that join work beside fibers") {
  TeamOptions options = as_fibers();
  options.threads = Threads::callers;
  Team joined(4, options), team(16, as_fibers());
  CHECK(joined.nodes_as() == Nodes::threads);
  CHECK(team.nodes_as() == Nodes::fibers);
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int rank = 0; rank < 4; ++rank)
    threads.emplace_back([&, rank] {
      const Membership me = joined.join(rank);
      for (int i = 0; i < 200; ++i) right += me->all_reduce(1, std::plus<>{}) == 4;
    });
  for (int run = 0; run < 20; ++run)
    team.run([](Node& me) { CHECK(me.all_reduce(me.rank(), maximum{}) == 15); });
  for (std::thread& thread : threads) thread.join();
  CHECK(right == 800);
}

TEST_CASE("a node that blocks its thread holds up its carrier, and all go on when it does") {
  Team team(16, as_fibers());
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::thread writer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(write(ends[1], "x", 1) == 1);
  });
  std::atomic<bool> got{false};
  team.run([&](Node& me) {
    char x = 0;
    if (me.rank() == 0) got = read(ends[0], &x, 1) == 1;
    me.barrier();
    CHECK(got);
  });
  writer.join();
  close(ends[0]);
  close(ends[1]);
}

TEST_CASE("a node that computes without a call holds up its carrier only, and is not taken for a deadlock") {
  TeamOptions options = as_fibers();
  options.time_limit = std::chrono::seconds(30);
  Team team(4 * static_cast<int>(std::thread::hardware_concurrency()), options);
  team.run([&](Node& me) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    if (me.rank() == 0)
      while (std::chrono::steady_clock::now() < end) continue;
    CHECK(me.all_reduce(1, std::plus<>{}) == me.size());
  });
}

TEST_CASE("thousands of nodes run on a few cores" * doctest::skip(sanitized_threads)) {
  const int nodes = std::getenv("VNODE_SOAK") != nullptr ? 4096 : 1024;
  Team team(nodes, shapes::hypercube{}, as_fibers());
  for (int run = 0; run < 2; ++run)
    team.run([&](Node& me) {
      CHECK(me.all_reduce(me.rank(), std::plus<>{}) == nodes * (nodes - 1) / 2);
      std::vector<int> mine{me.rank()}, all(static_cast<std::size_t>(nodes));
      me.all_gather(mine, all);
      CHECK(std::ranges::is_sorted(all));
      int from = -1;
      me.sendrecv(mine, me.rank() ^ 1, std::span(&from, 1), me.rank() ^ 1);
      CHECK(from == (me.rank() ^ 1));
      me.circular_shift(mine, nodes / 2);
      CHECK(mine[0] == (me.rank() + nodes / 2) % nodes);
      me.broadcast(from, nodes - 1);
      CHECK(from == nodes - 2);
    });
  CHECK_THROWS_AS(team.run([&](Node& me) {
    if (me.rank() == nodes / 3) throw std::runtime_error("gone");
    me.barrier();
  }),
                  std::runtime_error);
}
