// Tests collective calls in flight.
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Turns a loop that should have ended long ago into a failure.
class Deadline {
 public:
  bool passed() const { return std::chrono::steady_clock::now() > end_; }

 private:
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + std::chrono::seconds(20);
};

/// Teams that carry their messages in different ways.
std::vector<vnode::TeamOptions> ways() {
  std::vector<vnode::TeamOptions> all(4, patient());
  all[1].channel = vnode::ChannelEngine::boost;
  all[1].wait = vnode::Wait::park;
  all[2].inline_to = 0;
  all[3].shared_from = 1;
  return all;
}

}

TEST_CASE("a hundred broadcasts from both ends are in flight at the same time") {
  for (const vnode::TeamOptions& options : ways())
    for (const char* algorithm : {"broadcast_binomial", "broadcast_linear", "broadcast_direct", ""}) {
      vnode::Team team(5, vnode::shapes::full{}, options);
      team.run([&](vnode::Node& me) {
        constexpr std::size_t many = 100;
        std::vector<std::vector<int>> data;
        std::vector<vnode::Request> requests;
        for (std::size_t i = 0; i < many; ++i) {
          const int root = i % 2 == 0 ? 0 : me.size() - 1;
          const int value = static_cast<int>(i) * 7 + root;
          data.emplace_back(i % 5 == 4 ? 3000 : 1 + i % 3, me.rank() == root ? value : -1);
          requests.push_back(me.nonblocking().broadcast(data.back(), root, {algorithm}));
        }
        // From the last to the first: nobody waits for calls in their order.
        for (std::size_t i = many; i-- > 0;) {
          requests[i].wait();
          const int value = static_cast<int>(i) * 7 + (i % 2 == 0 ? 0 : me.size() - 1);
          REQUIRE(data[i] == std::vector<int>(data[i].size(), value));
        }
      });
    }
}

TEST_CASE("calls of all kinds overlap, blocking ones between them") {
  for (const vnode::TeamOptions& options : ways()) {
    vnode::Team team(6, vnode::shapes::full{}, options);
    team.run([](vnode::Node& me) {
      for (int round = 0; round < 5; ++round) {
        const std::vector<int> one(200, me.rank() + round), six(1200, me.rank());
        std::vector<int> sum(200), all(1200), part(200), moved(200), prefix(200), pairs(1200);
        vnode::Nonblocking calls = me.nonblocking();
        std::vector<vnode::Request> requests;
        requests.push_back(calls.all_reduce(one, sum, std::plus<>{}));
        requests.push_back(calls.all_gather(one, all));
        requests.push_back(calls.barrier());
        requests.push_back(calls.reduce_scatter(six, part, vnode::maximum{}));
        int token[1] = {me.rank()};
        me.broadcast(token, round);
        CHECK(token[0] == round);
        requests.push_back(calls.circular_shift(one, moved, -1));
        requests.push_back(calls.scan(one, prefix, std::plus<>{}));
        requests.push_back(calls.all_to_all(six, pairs));
        vnode::wait_all(requests);
        CHECK(sum == std::vector<int>(200, 15 + 6 * round));
        for (std::size_t i = 0; i < 1200; ++i) REQUIRE(all[i] == static_cast<int>(i) / 200 + round);
        CHECK(part == std::vector<int>(200, 5));
        CHECK(moved == std::vector<int>(200, (me.rank() + 1) % 6 + round));
        CHECK(prefix[199] == me.rank() * (me.rank() + 1) / 2 + (me.rank() + 1) * round);
        for (std::size_t i = 0; i < 1200; ++i) REQUIRE(pairs[i] == static_cast<int>(i) / 200);
      }
    });
  }
}

TEST_CASE("barriers follow each other while earlier ones are in flight") {
  for (const char* algorithm :
       {"barrier_central", "barrier_linear", "barrier_tree", "barrier_dissemination"}) {
    vnode::Team team(5, vnode::shapes::full{}, patient());
    std::atomic<int> arrived{0};
    team.run([&](vnode::Node& me) {
      for (int round = 0; round < 300; ++round) {
        std::vector<vnode::Request> requests;
        for (int barrier = 0; barrier < 3; ++barrier)
          requests.push_back(me.nonblocking().barrier({algorithm}));
        ++arrived;
        requests.push_back(me.nonblocking().barrier({algorithm}));
        vnode::wait_all(requests);
        REQUIRE(arrived >= (round + 1) * me.size());
      }
    });
  }
}

TEST_CASE("test() drives calls on, and is true when they are complete") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  std::atomic<bool> released{false};
  team.run([&](vnode::Node& me) {
    std::vector<double> x(5000, me.rank()), y(3, me.rank());
    if (me.rank() == 3) {
      // The others cannot be complete before this node has come.
      me.recv(std::span(y), 0);
      released = true;
    }
    vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{});
    vnode::Request least = me.nonblocking().all_reduce(y, vnode::maximum{});
    if (me.rank() == 0) {
      for (int look = 0; look < 100; ++look) REQUIRE(!sum.test());
      const std::vector<double> word(3, 3.0);
      me.send(word, 3);
    }
    while (!sum.test()) std::this_thread::yield();
    CHECK(released);
    CHECK(sum.test());
    CHECK(x == std::vector<double>(5000, 6.0));
    while (!least.test()) std::this_thread::yield();
    CHECK(y == std::vector<double>(3, 3.0));
    sum.wait();  // at once
    vnode::Request nothing;
    CHECK(nothing.test());
    nothing.wait();
    CHECK(nothing.count() == 0);
  });
}

TEST_CASE("a request that is destroyed or replaced waits for its call first") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    for (const std::size_t count : {2u, 4000u}) {
      std::vector<int> x(count, me.rank()), y(count, me.rank());
      { const vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{}); }
      CHECK(x == std::vector<int>(count, 3));
      vnode::Request request = me.nonblocking().all_reduce(x, vnode::maximum{});
      request = me.nonblocking().scan(y, std::plus<>{});
      CHECK(x == std::vector<int>(count, 3));
      request = vnode::Request();
      CHECK(y == std::vector<int>(count, me.rank() * (me.rank() + 1) / 2));
    }
  });
}

TEST_CASE("a call that is given up by an exception ends the run, even if the node catches it") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  const std::string text = sentence<vnode::Aborted>(team, [](vnode::Node& me) {
    std::vector<int> x(1000);
    try {
      if (me.rank() == 1) return;
      const vnode::Request waits = me.irecv(x, 1);
      throw 1;
    } catch (int) {
    }
  });
  CHECK(text == "node 0 has given up a call that was in flight");
  // The exception that is at fault comes before its consequence.
  struct Fault {};
  CHECK_THROWS_AS(team.run([](vnode::Node& me) {
    std::vector<int> x(1000);
    const vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{});
    if (me.rank() == 1) throw Fault();
  }),
                  Fault);
}

TEST_CASE("a request must not outlive its run") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  std::vector<int> x(5);
  vnode::Request kept;
  CHECK(sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
          if (me.rank() == 0) kept = me.irecv(x, 1);
        }) == "node 0 has left the run with a request that was not waited for");
  CHECK_THROWS_AS(kept.wait(), vnode::UsageError);
}

TEST_CASE("a call is complete although nobody has read a later one") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    for (int round = 0; round < 100; ++round) {
      std::vector<std::vector<double>> x(5, std::vector<double>(1000, me.rank() == 0 ? round : -1));
      int flag[1] = {round};
      if (me.rank() == 0) {
        std::vector<vnode::Request> calls;
        for (auto& data : x) calls.push_back(me.nonblocking().broadcast(data, 0, {"broadcast_direct"}));
        calls.front().wait();
        me.send(flag, 1);
        vnode::wait_all(calls);
      } else {
        for (std::size_t i = 0; i < x.size(); ++i) {
          me.broadcast(x[i], 0, {"broadcast_direct"});
          if (i == 0 && me.rank() == 1) me.recv(flag, 0);
          REQUIRE(x[i] == std::vector<double>(1000, round));
        }
      }
    }
  });
}

TEST_CASE("a request made and destroyed while an exception unwinds waits for its call") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  struct Last {
    vnode::Node& me;
    std::vector<int>& x;
    std::vector<int>& y;
    ~Last() {
      const vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{});
      vnode::Persistent most = me.persistent().all_reduce(y, vnode::maximum{});
      most.start();
    }
  };
  team.run([](vnode::Node& me) {
    std::vector<int> x(2000, me.rank());
    std::vector<int> y = x;
    try {
      const Last last{me, x, y};
      throw 1;
    } catch (int) {
    }
    CHECK(x == std::vector<int>(2000, 3));
    CHECK(y == std::vector<int>(2000, 2));
  });
}

TEST_CASE("a call in flight keeps its plan and its group, whatever its node calls and drops meanwhile") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> x(3000, me.rank()), y(2, me.rank());
    int flag[1] = {};
    vnode::Request sum, most;
    {
      vnode::Group all = me.split(0, -me.rank());
      // The others come to these calls when node 0 has dropped the group.
      if (me.rank() != 0) me.recv(flag, 0);
      sum = all.nonblocking().all_reduce(x, std::plus<>{});
      most = all.nonblocking().all_reduce(y, vnode::maximum{});
    }
    for (int to = 1; me.rank() == 0 && to < me.size(); ++to) me.send(flag, to);
    me.split(me.rank() % 2).barrier();
    for (std::size_t count = 1; count < 300; ++count) {
      std::vector<int> z(count, 1);
      me.all_reduce(z, std::plus<>{});
      REQUIRE(z.back() == 3);
    }
    sum.wait();
    most.wait();
    CHECK(x == std::vector<int>(3000, 3));
    CHECK(y == std::vector<int>(2, 2));
  });
}

TEST_CASE("a call in flight has the plan that it began with, though others have taken its place") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<std::vector<long>> data;
    std::vector<vnode::Request> calls;
    for (std::size_t count = 1; count <= 500; ++count) data.emplace_back(count, me.rank() + 1);
    for (auto& one : data) calls.push_back(me.nonblocking().all_reduce(one, std::plus<>{}));
    vnode::wait_all(calls);
    for (const auto& one : data) REQUIRE(one == std::vector<long>(one.size(), 3));
  });
}

namespace {

/// Counts how many of it there are, and lies where it wants to.
template <std::size_t Bytes>
struct alignas(64) Counted {
  std::atomic<int>* number;
  std::array<char, Bytes> ballast{};
  explicit Counted(std::atomic<int>& of) : number(&of) { ++*number; }
  Counted(const Counted& other) : number(other.number) { ++*number; }
  ~Counted() { --*number; }
  long operator()(long left, long right) {
    if (reinterpret_cast<std::uintptr_t>(this) % 64 != 0 || *number <= 0) return -1000000;
    return left + right;
  }
};

}  // namespace

TEST_CASE("an operator is kept until its call ends, however large it is") {
  std::atomic<int> number{0};
  vnode::Team team(3, vnode::shapes::full{}, patient());
  const auto add = [&](vnode::Node& me, const auto& op) {
    for (const std::size_t count : {1u, 4000u})
      for (int time = 0; time < 20; ++time) {
        std::vector<long> x(count, me.rank()), y = x;
        vnode::Request sum = me.nonblocking().all_reduce(x, op);
        vnode::Persistent again = me.persistent().all_reduce(y, op);
        again.start();
        sum.wait();
        again.wait();
        REQUIRE(x == std::vector<long>(count, 3));
        REQUIRE(y == x);
      }
  };
  team.run([&](vnode::Node& me) {
    add(me, Counted<1>(number));
    add(me, Counted<2000>(number));
  });
  CHECK(number == 0);
}

TEST_CASE("a request whose run has failed may be destroyed after its team") {
  vnode::Request kept;
  std::vector<double> x(3000);
  {
    vnode::Team team(4, vnode::shapes::full{}, patient());
    CHECK(sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
            if (me.rank() == 0) kept = me.nonblocking().reduce(x, std::plus<>{}, 1, {"reduce_linear"});
          }) != "");
  }
  CHECK_THROWS_AS(kept.wait(), vnode::UsageError);
}

TEST_CASE("a loop of tests ends at the time limit, as a wait does") {
  vnode::TeamOptions options;
  options.time_limit = std::chrono::milliseconds(200);
  vnode::Team team(2, vnode::shapes::full{}, options);
  for (const bool planned : {false, true})
    for (const bool slow : {false, true}) {
      const Deadline deadline;
      std::atomic<bool> over{false};
      const std::string text = sentence<vnode::TimeLimitExceeded>(team, [&](vnode::Node& me) {
        // Only node 0 waits, as far as vnode can see.
        while (me.rank() == 1 && !over && !deadline.passed()) std::this_thread::yield();
        if (me.rank() == 1) return;
        int x[1] = {};
        vnode::Persistent call = me.persistent().broadcast(x, 1);
        vnode::Request request;
        planned ? call.start() : void(request = me.nonblocking().broadcast(x, 1));
        try {
          while (!(planned ? call.test() : request.test()) && !deadline.passed())
            if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        } catch (const vnode::TimeLimitExceeded&) {
          over = true;
          throw;
        }
      });
      CAPTURE(text);
      CHECK(text.find("node 0 has waited longer than the time limit of 200 ms") != std::string::npos);
    }
}

TEST_CASE("a loop of tests for a node that has left, or makes another call, is hopeless") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  for (const bool leaves : {false, true}) {
    const Deadline deadline;
    const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
      int x[1] = {};
      if (me.rank() == 1 && leaves) return;
      vnode::Request request = me.nonblocking().broadcast(x, 1 - me.rank());
      while (!request.test()) REQUIRE(!deadline.passed());
    });
    CAPTURE(text);
    CHECK(text.find(leaves ? "node 1 has left the run without it" : "root 0") != std::string::npos);
  }
}
