#include <doctest/doctest.h>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

TEST_CASE("a call is planned once and started many times, with what its data are then") {
  for (const std::size_t count : {1u, 3000u}) {
    vnode::Team team(5, vnode::shapes::full{}, patient());
    team.run([count](vnode::Node& me) {
      std::vector<int> x(count), y(count);
      vnode::Persistent sum = me.persistent().all_reduce(x, y, std::plus<>{});
      vnode::Persistent shift = me.persistent().circular_shift(y, 2);
      for (int start = 0; start < 200; ++start) {
        x.assign(count, start + me.rank());
        sum.start();
        sum.wait();
        REQUIRE(y == std::vector<int>(count, 5 * start + 10));
        y.assign(count, me.rank() * start);
        shift.start();
        while (!shift.test()) std::this_thread::yield();
        REQUIRE(y == std::vector<int>(count, (me.rank() + 3) % 5 * start));
      }
    });
  }
}

TEST_CASE("planned calls are interleaved with each other, with calls in flight and with blocking ones") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> a(100), b(2000), c(8);
    const std::vector<std::size_t> counts{0, 3, 1, 4}, places{0, 5, 4, 0};
    vnode::Persistent first = me.persistent().broadcast(a, 1);
    vnode::Persistent second = me.persistent().all_reduce(b, vnode::maximum{});
    vnode::Persistent third = me.persistent().all_gather_v(c, {counts, places});
    for (int round = 0; round < 100; ++round) {
      a.assign(100, me.rank() + round), b.assign(2000, me.rank() - round), c.assign(8, -1);
      const std::size_t own = static_cast<std::size_t>(me.rank());
      for (std::size_t i = 0; i < counts[own]; ++i) c[places[own] + i] = me.rank() * 10 + round;
      if (round % 2 == 0) third.start();
      first.start();
      second.start();
      if (round % 2 == 1) third.start();
      int x[1] = {1};
      vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{});
      me.barrier();
      second.wait();
      sum.wait();
      third.wait();
      first.wait();
      REQUIRE(x[0] == 4);
      REQUIRE(a == std::vector<int>(100, 1 + round));
      REQUIRE(b == std::vector<int>(2000, 3 - round));
      const int first_of[] = {30 + round, 20 + round, 10 + round};
      REQUIRE(c == std::vector<int>{first_of[0], first_of[0], first_of[0], first_of[0], first_of[1],
                                    first_of[2], first_of[2], first_of[2]});
    }
  });
}

TEST_CASE("a call in flight is not started once more") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  CHECK(sentence<vnode::UsageError>(team, [](vnode::Node& me) {
          std::vector<int> x(1000);
          if (me.rank() == 1) {
            me.recv(x, 0);
            return;
          }
          vnode::Persistent sum = me.persistent().all_reduce(x, std::plus<>{});
          sum.start();
          sum.start();
        }) == "this persistent call has been started: wait() comes before the next start()");
}

TEST_CASE("what is complete but has not been waited for is not started once more, in this run") {
  vnode::Team team(1, vnode::shapes::full{}, patient());
  int x[1] = {1};
  vnode::Persistent sum;
  CHECK(sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
          sum = me.persistent().all_reduce(x, std::plus<>{});
          sum.start();
          REQUIRE(sum.test());
          sum.start();
          sum.wait();
          sum.start();
          sum.start();
        }) == "this persistent call has been started: wait() comes before the next start()");
  team.run([&](vnode::Node&) {
    sum.start();
    sum.wait();
  });
}

TEST_CASE("waiting for what has not been started is over at once") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> x(10, me.rank());
    vnode::Persistent sum = me.persistent().all_reduce(x, std::plus<>{});
    CHECK(sum.test());
    sum.wait();
    vnode::Persistent moved = std::move(sum);
    moved.start();
    // What takes its place waits for it.
    moved = me.persistent().broadcast(x, 0);
    CHECK(x == std::vector<int>(10, 1));
  });
}

TEST_CASE("a planned call that is destroyed in flight is waited for") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<int> x(5000, me.rank());
    {
      vnode::Persistent sum = me.persistent().all_reduce(x, std::plus<>{});
      sum.start();
    }
    CHECK(x == std::vector<int>(5000, 3));
  });
}

TEST_CASE("the team's planned calls are good for all its runs, also after one that failed") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  std::vector<std::vector<int>> data(3, std::vector<int>(700));
  std::vector<std::optional<vnode::Persistent>> planned(3);
  team.run([&](vnode::Node& me) {
    const auto own = static_cast<std::size_t>(me.rank());
    planned[own].emplace(me.persistent().all_reduce(data[own], std::plus<>{}));
  });
  const auto use = [&](vnode::Node& me) {
    const auto own = static_cast<std::size_t>(me.rank());
    data[own].assign(700, me.rank() + 1);
    planned[own]->start();
    planned[own]->wait();
    CHECK(data[own] == std::vector<int>(700, 6));
  };
  team.run(use);
  struct Fault {};
  CHECK_THROWS_AS(team.run([&](vnode::Node& me) {
    if (me.rank() == 1) throw Fault();
    planned[static_cast<std::size_t>(me.rank())]->start();
    planned[static_cast<std::size_t>(me.rank())]->wait();
  }),
                  Fault);
  team.run(use);
  planned.clear();
}

TEST_CASE("operators and names of a planned call need not stay") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    std::vector<long> x(50);
    std::optional<vnode::Persistent> planned;
    {
      auto secret = std::make_unique<long>(3);
      const std::string algorithm = "all_reduce_binomial";
      planned.emplace(me.persistent().all_reduce(
          x, vnode::commutative{[kept = std::make_shared<long>(*secret)](long a, long b) {
            return a + b + *kept;
          }},
          {algorithm}));
      *secret = 1000;
    }
    for (int start = 0; start < 3; ++start) {
      x.assign(50, me.rank());
      planned->start();
      planned->wait();
      CHECK(x == std::vector<long>(50, 6 + 3 * 3));
    }
  });
}

TEST_CASE("a planned call whose first start comes too late for a run is as good as new in the next") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  std::vector<std::vector<int>> data(2, std::vector<int>(700));
  std::vector<std::optional<vnode::Persistent>> planned(2);
  team.run([&](vnode::Node& me) {
    const auto own = static_cast<std::size_t>(me.rank());
    planned[own].emplace(me.persistent().all_reduce(data[own], std::plus<>{}));
  });
  struct Fault {};
  CHECK_THROWS_AS(team.run([&](vnode::Node& me) {
    if (me.rank() == 1) throw Fault();
    int word[1];
    CHECK_THROWS_AS(me.recv(word, 1), vnode::Aborted);
    CHECK_THROWS_AS(planned[0]->start(), vnode::Aborted);
    CHECK(planned[0]->test());
    planned[0]->wait();
  }),
                  Fault);
  team.run([&](vnode::Node& me) {
    const auto own = static_cast<std::size_t>(me.rank());
    data[own].assign(700, me.rank() + 1);
    planned[own]->start();
    planned[own]->wait();
    CHECK(data[own] == std::vector<int>(700, 3));
  });
  planned.clear();
}

TEST_CASE("planned calls may be destroyed after their team") {
  std::vector<std::vector<double>> data(4, std::vector<double>(3000));
  std::vector<std::optional<vnode::Persistent>> complete(4), lost(4);
  {
    vnode::Team team(4, vnode::shapes::full{}, patient());
    const auto plan = [&](vnode::Node& me) {
      return me.persistent().reduce(data[static_cast<std::size_t>(me.rank())], std::plus<>{}, 0,
                                    {"reduce_binomial"});
    };
    team.run([&](vnode::Node& me) {
      const auto own = static_cast<std::size_t>(me.rank());
      complete[own].emplace(plan(me));
      complete[own]->start();
      complete[own]->wait();
    });
    CHECK_THROWS_AS(team.run([&](vnode::Node& me) {
      if (me.rank() == 3) return;
      const auto own = static_cast<std::size_t>(me.rank());
      lost[own].emplace(plan(me));
      lost[own]->start();
      lost[own]->wait();
      me.barrier();
    }),
                    vnode::Mismatch);
  }
  complete.clear();
  lost.clear();
}
