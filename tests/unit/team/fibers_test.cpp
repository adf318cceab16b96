#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <doctest/doctest.h>
#include <functional>
#include <numeric>
#include <optional>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <vnode/error.hpp>
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
