#include <doctest/doctest.h>
#include <numeric>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Returns the ranks in the team of a group's members.
std::vector<int> members(const vnode::Group& group) {
  std::vector<int> list;
  for (int rank = 0; rank < group.size(); ++rank) list.push_back(group.team_rank(rank));
  return list;
}

using Ranks = std::vector<int>;

}

TEST_CASE("nodes of a color form a group, ranked by key and then by rank") {
  vnode::Team team(7, vnode::shapes::full{}, patient());
  const int colors[] = {0, 5, 0, 5, 0, 5, 0}, keys[] = {3, 0, -1, 0, 3, -7, 2};
  team.run([&](vnode::Node& me) {
    const auto own = static_cast<std::size_t>(me.rank());
    const vnode::Group group = me.split(colors[own], keys[own]);
    REQUIRE(group);
    CHECK(members(group) == (colors[own] == 0 ? Ranks{2, 6, 0, 4} : Ranks{5, 1, 3}));
    CHECK(group.size() == (colors[own] == 0 ? 4 : 3));
    CHECK(group.team_rank(group.rank()) == me.rank());
    CHECK(group.topology() == vnode::Topology(vnode::shapes::full{}, group.size()));
    // The old group goes on as before.
    CHECK(members(me) == Ranks{0, 1, 2, 3, 4, 5, 6});
    me.barrier();
  });
}

TEST_CASE("a node without a color gets no group, and is told so when it uses it") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    const vnode::Group group = me.split(me.rank() == 1 ? vnode::no_color : 0);
    CHECK(bool(group) == (me.rank() != 1));
    CHECK(group.size() == (me.rank() == 1 ? 0 : 2));
    if (me.rank() == 1) CHECK(group.rank() == -1);
    if (group) CHECK(members(group) == Ranks{0, 2});
  });
  team.run([](vnode::Node& me) { CHECK(!me.split(vnode::no_color)); });  // all of them
  const std::string none = "this group is empty: this node passed no_color to its split";
  const auto refused = [&](const auto& use) {
    return sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
      vnode::Group group = me.split(me.rank() == 1 ? vnode::no_color : 0);
      if (me.rank() == 1) use(group);
    });
  };
  CHECK(refused([](vnode::Group& group) { group.barrier(); }) == none);
  CHECK(refused([](vnode::Group& group) { group.topology(); }) == none);
  CHECK(refused([](vnode::Group& group) { group.team_rank(0); }) == none);
  CHECK(refused([](vnode::Group& group) { (void)group.nonblocking().barrier(); }) == none);
  CHECK(refused([](vnode::Group& group) { (void)group.persistent().barrier(); }) == none);
  CHECK(refused([](vnode::Group& group) { group.split(0); }) == none);
  CHECK(refused([](vnode::Group& group) {
          const int x = 1;
          (void)group.isend(x, 0);
        }) == none);
}

TEST_CASE("a group has a topology of its own") {
  vnode::Team team(9, vnode::shapes::ring{}, patient());
  team.run([](vnode::Node& me) {
    // Eight nodes as a cube, the ninth alone as an array: shapes are of each new group.
    const bool alone = me.rank() == 4;
    const vnode::Group group =
        alone ? me.split(1, 0, vnode::shapes::array{}) : me.split(0, -me.rank(), vnode::shapes::hypercube{});
    CHECK(group.topology() == (alone ? vnode::Topology(vnode::shapes::array{}, 1)
                                     : vnode::Topology(vnode::shapes::hypercube{}, 8)));
    if (!alone) CHECK(group.team_rank(0) == 8);
    int sum[1] = {1};
    group.last_algorithm();
    vnode::Group used = group;
    used.all_reduce(sum, std::plus<>{});
    CHECK(sum[0] == group.size());
    CHECK(!used.last_algorithm().empty());
  });
}

TEST_CASE("groups are split again, and again") {
  vnode::Team team(12, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    vnode::Group half = me.split(me.rank() % 2);  // 0 2 4 6 8 10 and 1 3 5 ...
    vnode::Group third = half.split(half.rank() % 3, -half.rank());
    CHECK(third.size() == 2);
    CHECK(members(third) == Ranks{me.rank() % 6 + 6, me.rank() % 6});
    vnode::Group alone = third.split(third.rank());
    CHECK(members(alone) == Ranks{me.rank()});
    // All of them are in use at the same time.
    for (int round = 0; round < 5; ++round) {
      std::vector<int> x(100, me.rank());
      third.broadcast(x, 0);
      CHECK(x[99] == me.rank() % 6 + 6);
      half.all_reduce(x, vnode::maximum{});
      CHECK(x[0] == 10 + me.rank() % 2);
      alone.all_reduce(x, std::plus<>{});
      CHECK(x[0] == 10 + me.rank() % 2);
      me.all_reduce(x, vnode::maximum{});
      CHECK(x[0] == 11);
    }
  });
}

TEST_CASE("splits that make no sense are refused") {
  CHECK(refusal(3, [](vnode::Node& me) { me.split(me.rank() == 2 ? -2 : 0); }) ==
        "split: color -2 is negative: 0 or more, or no_color for none of the groups");
  // Three of four nodes cannot be a hypercube.
  const std::string shape =
      refusal(4, [](vnode::Node& me) { me.split(me.rank() == 3 ? 1 : 0, 0, vnode::shapes::hypercube{}); });
  CHECK(shape.find("hypercube") != std::string::npos);
  CHECK(shape.find('3') != std::string::npos);
  CHECK(refusal(2, [](vnode::Node& me) { me.split(0).team_rank(2); }) ==
        "rank 2 is not a node of a team of 2: ranks are 0 to 1");
}

TEST_CASE("groups and what is planned in them serve all runs of the team") {
  for (const vnode::ChannelEngine engine : {vnode::ChannelEngine::line, vnode::ChannelEngine::boost}) {
    vnode::TeamOptions options = patient();
    options.channel = engine;
    vnode::Team team(6, vnode::shapes::mesh{2, 3}, options);
    struct Own {
      vnode::Group row, column;
      vnode::Persistent sum;
      std::vector<int> x = std::vector<int>(700);
    };
    std::vector<Own> nodes(6);
    team.run([&](vnode::Node& me) {
      Own& own = nodes[static_cast<std::size_t>(me.rank())];
      own.row = me.split(vnode::shapes::along{1});
      own.column = me.split(vnode::shapes::along{0});
      own.sum = own.row.persistent().all_reduce(own.x, std::plus<>{});
    });
    for (int run = 0; run < 20; ++run)
      team.run([&](vnode::Node& me) {
        Own& own = nodes[static_cast<std::size_t>(me.rank())];
        own.x.assign(700, me.rank() + run);
        own.sum.start();
        int word[1] = {me.rank()};
        own.column.broadcast(word, run % 2);
        CHECK(word[0] == me.rank() % 3 + 3 * (run % 2));
        own.sum.wait();
        CHECK(own.x == std::vector<int>(700, 3 * run + (me.rank() < 3 ? 3 : 12)));
        int in[1] = {};
        own.row.sendrecv(word, (own.row.rank() + 1) % 3, in, (own.row.rank() + 2) % 3);
        CHECK(in[0] == (me.rank() + 2) % 3 + 3 * (run % 2));
        // Groups of one run stand beside those of all.
        vnode::Group half = me.split(me.rank() % 2);
        word[0] = 1;
        half.all_reduce(word, std::plus<>{});
        CHECK(word[0] == 3);
      });
  }
}

TEST_CASE("groups serve on after a run that failed, wherever their nodes were") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  std::vector<vnode::Group> groups(4);
  std::vector<vnode::Persistent> planned(4);
  std::vector<std::vector<int>> data(4, std::vector<int>(900));
  struct Fault {};
  team.run([&](vnode::Node& me) {
    const auto at = static_cast<std::size_t>(me.rank());
    groups[at] = me.split(me.rank() % 2);
    planned[at] = groups[at].persistent().all_reduce(data[at], std::plus<>{});
  });
  for (int trial = 0; trial < 30; ++trial) {
    CHECK_THROWS_AS(team.run([&](vnode::Node& me) {
      vnode::Group& group = groups[static_cast<std::size_t>(me.rank())];
      int x[1] = {me.rank()};
      for (int call = 0; call < trial % 7; ++call) group.broadcast(x, call % 2);
      // Some are in the middle of a call, have published or sent, and have not been received.
      if (me.rank() == trial % 4) throw Fault();
      if (me.rank() == 0) group.send(x, 1, 3);
      planned[static_cast<std::size_t>(me.rank())].start();
      group.broadcast(x, 1, {trial % 2 == 0 ? "broadcast_direct" : "broadcast_binomial"});
      planned[static_cast<std::size_t>(me.rank())].wait();
    }),
                    Fault);
    team.run([&](vnode::Node& me) {
      const auto at = static_cast<std::size_t>(me.rank());
      data[at].assign(900, me.rank());
      planned[at].start();
      planned[at].wait();
      CHECK(data[at] == std::vector<int>(900, me.rank() % 2 == 0 ? 2 : 4));
      int x[1] = {trial};
      if (groups[at].rank() == 1) x[0] = -1;
      groups[at].broadcast(x, 0);
      CHECK(x[0] == trial);
    });
  }
}

TEST_CASE("a call of a group that only some of its nodes have made ends the run in which it was made") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  std::vector<vnode::Group> groups(2);
  team.run([&](vnode::Node& me) { groups[static_cast<std::size_t>(me.rank())] = me.split(0); });
  const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
    int x[1] = {1};
    if (me.rank() == 0) groups[0].broadcast(x);
  });
  CHECK(text != "");
  team.run([&](vnode::Node& me) {
    int x[1] = {me.rank()};
    groups[static_cast<std::size_t>(me.rank())].broadcast(x, 1);
    CHECK(x[0] == 1);
  });
}

TEST_CASE("a message that nobody received in a group does not reach a later group of the run") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  const std::string text = sentence<vnode::Mismatch>(team, [](vnode::Node& me) {
    int stale[1] = {1}, fresh[1] = {2};
    {
      vnode::Group first = me.split(0);
      if (me.rank() == 0) first.send(stale, 1, 5);
    }
    vnode::Group second = me.split(0);
    if (me.rank() == 0) {
      second.send(fresh, 1, 5);
    } else {
      second.recv(fresh, 0, 5);
      CHECK(fresh[0] == 2);
    }
  });
  CHECK(text.starts_with("node 1 left the run without receiving what node 0 sent it"));
}

TEST_CASE("a run may split as often as it likes") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    int x[1] = {};
    for (int i = 0; i < 5000; ++i) {
      vnode::Group group = me.split(0);
      if (i % 50 != 0) continue;
      x[0] = group.rank() == 0 ? i : -1;
      if (group.rank() == 0)
        group.send(x, 1);
      else
        group.recv(x, 0);
      group.broadcast(x, 1);
      REQUIRE(x[0] == i);
    }
  });
}
