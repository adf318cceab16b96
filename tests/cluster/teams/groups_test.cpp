#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"

using namespace vnode_test;

TEST_CASE("groups across machines have ranks, collectives and messages of their own, and outlive a run") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  std::vector<std::optional<vnode::Group>> kept(static_cast<std::size_t>(own_nodes()));
  const auto own = [&](vnode::Node & me) -> auto& {
    return kept[static_cast<std::size_t>(me.rank() - cluster.first_here())];
  };
  cluster.run([&](vnode::Node& me) {
    own(me) = me.split(me.rank() % 2, -me.rank());
    vnode::Group& group = *own(me);
    CHECK(group.team_rank(group.rank()) == me.rank());
    const int sum = group.all_reduce(me.rank(), std::plus<>{});
    int expected = 0;
    for (int rank = me.rank() % 2; rank < me.size(); rank += 2) expected += rank;
    CHECK(sum == expected);
  });
  cluster.run([&](vnode::Node& me) {
    vnode::Group& group = *own(me);
    std::vector<double> data(2000, group.rank());
    group.broadcast(data, group.size() - 1);
    CHECK(data.back() == group.size() - 1);
    const int next = (group.rank() + 1) % group.size(),
              before = (group.rank() + group.size() - 1) % group.size();
    const std::vector<int> mine(1000, group.rank());
    std::vector<int> theirs(1000);
    group.sendrecv(mine, next, theirs, before);
    CHECK(theirs.back() == before);
  });
}

TEST_CASE("a split by machine has the nodes of one machine, and one by core no nodes of two") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([&](vnode::Node& me) {
    // Every machine has one process here.
    vnode::Group machine = me.split(vnode::Domain::machine);
    CHECK(machine.size() == own_nodes());
    CHECK(machine.team_rank(0) == cluster.first_here());
    vnode::Group core = me.split(vnode::Domain::core);
    for (int rank = 0; rank < core.size(); ++rank) {
      CHECK(core.team_rank(rank) >= cluster.first_here());
      CHECK(core.team_rank(rank) < cluster.first_here() + own_nodes());
    }
    CHECK(core.all_reduce(1, std::plus<>{}) == core.size());
  });
}

TEST_CASE("splits of splits, many of them, in all orders, some of one node and some of none") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([](vnode::Node& me) {
    std::mt19937 random(7);  // the same on all nodes
    for (int i = 0; i < 30; ++i) {
      const int colors = 1 + static_cast<int>(random() % 3u);
      std::vector<int> color(static_cast<std::size_t>(me.size())), key(color.size());
      for (std::size_t rank = 0; rank < color.size(); ++rank) {
        color[rank] = static_cast<int>(random() % static_cast<unsigned>(colors + 1)) - 1;
        key[rank] = static_cast<int>(random() % 5u);
      }
      const auto self = static_cast<std::size_t>(me.rank());
      vnode::Group group = me.split(color[self], key[self]);
      if (color[self] < 0) continue;
      int members = 0;
      for (const int one : color) members += one == color[self];
      CHECK(group.size() == members);
      CHECK(group.all_reduce(1, std::plus<>{}) == members);
      vnode::Group part = group.split(group.rank() % 2);
      CHECK(part.all_reduce(1, std::plus<>{}) == (members + 1 - group.rank() % 2) / 2);
      std::vector<std::uint64_t> ranks(static_cast<std::size_t>(part.size()));
      part.all_gather(std::vector{static_cast<std::uint64_t>(part.rank())}, ranks);
      for (std::size_t rank = 0; rank < ranks.size(); ++rank) CHECK(ranks[rank] == rank);
    }
  });
}

TEST_CASE("a group that only nodes of another process still have keeps its number, and their calls match") {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  cluster.run([](vnode::Node& me) {
    vnode::CallOptions direct;  // its root waits for nobody
    direct.algorithm = "broadcast_direct";
    const auto broadcast = [&](vnode::Group& group, int value) {
      std::vector<int> data(1, me.rank() == 0 ? value : -1);
      group.broadcast(data, 0, direct);
      CHECK(data.front() == value);
    };
    // Node 0 alone of its process, and all nodes of the last one.
    const bool in = me.rank() == 0 || me.rank() >= me.size() - own_nodes();
    const auto split = [&] { return me.split(in ? 0 : vnode::no_color); };
    for (int time = 0; time < 5; ++time) {
      vnode::Group one = split();
      if (me.rank() == 0) {
        broadcast(one, time);
        one = vnode::Group();
      }
      vnode::Group two = split();
      if (in) two.barrier();
      if (in && me.rank() > 0) broadcast(one, time);
      if (in) broadcast(two, -time);
    }
  });
}

// Also of 1 x 8, 2 x 4, 4 x 2 and 8 x 1: the team of eight is the same in all.
TEST_CASE_TEMPLATE("deterministic reductions have the bits that a team of as many nodes in one process has",
                   T, double, float, vnode::float16, vnode::bfloat16, std::complex<float>) {
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  const auto bits = [](auto& team) {
    std::vector<std::vector<T>> results(static_cast<std::size_t>(team.size()));
    team.run([&](vnode::Node& me) {
      vnode::CallOptions same;
      same.deterministic = true;
      vnode::Group half = me.split(me.rank() % 2, -me.rank());
      for (const std::size_t length : {1u, 7u, 500u, 20000u}) {
        std::mt19937_64 random(static_cast<std::uint64_t>(me.rank()) + 1);
        const auto p = static_cast<std::size_t>(me.size());
        std::vector<T> in(length), all(length), prefix(length), before(length), one(length), of_half(length);
        for (T& x : in)
          x = static_cast<T>(std::uniform_real_distribution<float>(-100, 100)(random) *
                             (random() % 2 == 0 ? 1e-3F : 1));
        me.all_reduce(in, all, std::plus<>{}, same);
        half.nonblocking().all_reduce(in, of_half, std::plus<>{}, same).wait();
        me.scan(in, prefix, std::plus<>{}, same);
        me.exclusive_scan(in, before, std::plus<>{}, same);
        one = in;
        me.reduce(one, std::plus<>{}, me.size() - 1, same);
        if (me.rank() + 1 < me.size()) one.clear();  // its contents are nobody's result
        std::vector<T> parts(length / p * p), part(length / p);
        std::copy_n(in.begin(), parts.size(), parts.begin());
        me.reduce_scatter(parts, part, std::plus<>{}, same);
        auto& own = results[static_cast<std::size_t>(me.rank())];
        for (const std::vector<T>* result : {&all, &of_half, &prefix, &before, &one, &part})
          own.insert(own.end(), result->begin(), result->end());
      }
    });
    return results;
  };
  const auto across = bits(cluster);
  vnode::Team alone{cluster.size(), patient()};
  const auto here = bits(alone);
  for (int node = cluster.first_here(); node < cluster.first_here() + own_nodes(); ++node)
    CHECK(std::ranges::equal(std::as_bytes(std::span(across[static_cast<std::size_t>(node)])),
                             std::as_bytes(std::span(here[static_cast<std::size_t>(node)]))));
}
