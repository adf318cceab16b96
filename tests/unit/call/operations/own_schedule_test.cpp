// Calls that carry out a schedule of the caller's own.
#include <atomic>
#include <doctest/doctest.h>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/select.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;
using vnode::OwnSchedule;

namespace {

OwnSchedule own(const std::string& text, const std::string& name = "mine") {
  return OwnSchedule(vnode::schedule_from_text(text), name);
}

/// Along the ring from rank 0, in `segments` pieces.
OwnSchedule ring_broadcast(int nodes, int segments) {
  vnode::Schedule schedule(nodes, segments);
  for (int number = 0; number < nodes - 2 + segments; ++number) {
    schedule.next_round();
    for (int piece = 0; piece < segments; ++piece)
      if (const int from = number - piece; from >= 0 && from < nodes - 1) {
        const vnode::Transfer t{from, from + 1, schedule.block(piece)};
        schedule.round(number).push_back(t);
      }
  }
  return OwnSchedule(schedule, "broadcast_by_hand");
}

/// What a node calls for.
enum class Form { blocking, nonblocking, persistent };

void broadcast_by(vnode::Node& me, std::vector<int>& x, Form form, const OwnSchedule& schedule) {
  if (form == Form::blocking) return me.broadcast(x, 0, {.schedule = &schedule});
  if (form == Form::nonblocking) return me.nonblocking().broadcast(x, 0, {.schedule = &schedule}).wait();
  std::optional<OwnSchedule> short_lived(schedule);
  vnode::Persistent call = me.persistent().broadcast(x, 0, {.schedule = &*short_lived});
  short_lived.reset();
  call.start();
  call.wait();
}

std::string refused_broadcast(int nodes, const std::string& text, int root = 0) {
  return refusal(nodes, [schedule = own(text), root](vnode::Node& me) {
    std::vector<int> x(10);
    me.broadcast(x, root, {.schedule = &schedule});
  });
}

/// 2 before 1: for a commutative operator.
const std::string out_of_order = "nodes 3 blocks 1\n1: 2>+0\n2: 1>+0\n";
const std::string in_order = "nodes 3 blocks 1\n1: 1>+0\n2: 2>+0\n";

/// Holds the last of both, which no algorithm may take for commutative.
struct Last {
  int operator()(int, int b) const { return b; }
};

}  // namespace

TEST_CASE("a schedule of the user's own is carried out, in all forms, whatever the size") {
  for (const int nodes : {1, 2, 4, 9})
    for (const bool boost : {false, true}) {
      vnode::TeamOptions options = patient();
      if (boost) options.channel = vnode::ChannelEngine::boost;
      vnode::Team team(nodes, vnode::shapes::full{}, options);
      const OwnSchedule schedule = ring_broadcast(nodes, 3);
      for (const std::size_t count : {0u, 1u, 500u, 40000u})
        for (const Form form : {Form::blocking, Form::nonblocking, Form::persistent})
          team.run([&](vnode::Node& me) {
            for (int time = 0; time < 3; ++time) {
              std::vector<int> x(count, me.rank() == 0 ? 7 + time : -1);
              broadcast_by(me, x, form, schedule);
              REQUIRE(x == std::vector<int>(count, 7 + time));
              REQUIRE(me.last_algorithm() == "broadcast_by_hand");
            }
          });
    }
}

TEST_CASE("every node may have a copy of its own, and schedules may end between the calls") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    for (int time = 0; time < 50; ++time) {
      const std::string chain = "nodes 3 blocks 1\n1: 0>1\n2: 1>2\n", star = "nodes 3 blocks 1\n1: 0>1 0>2\n";
      const OwnSchedule schedule = time % 3 == 0 ? own(star, "star") : own(chain, "chain");
      int x[1] = {me.rank() == 0 ? time : -1};
      me.broadcast(x, 0, {.schedule = &schedule});
      REQUIRE(x[0] == time);
      REQUIRE(me.last_algorithm() == schedule.name());
    }
  });
}

TEST_CASE("a group has schedules for its own number of nodes") {
  vnode::Team team(6, vnode::shapes::full{}, patient());
  team.run([schedule = ring_broadcast(3, 2)](vnode::Node& me) {
    const vnode::Group part = me.split(me.rank() % 2);
    std::vector<int> x(100, part.rank() == 0 ? me.rank() : -1);
    vnode::Group(part).broadcast(x, 0, {.schedule = &schedule});
    CHECK(x == std::vector<int>(100, me.rank() % 2));
  });
}

TEST_CASE("results that go back are written over nothing that other nodes, or the same one, still read") {
  constexpr int calls = 10;
  constexpr std::size_t count = 40000;
  const auto runs = [&](int nodes, bool scans, const std::string& text) {
    std::atomic<int> wrong{0};
    vnode::Team team(nodes, vnode::shapes::full{}, patient());
    team.run([&, schedule = own(text)](vnode::Node& me) {
      const int last = scans ? me.rank() : nodes - 1;
      for (int call = 0; call < calls; ++call) {
        std::vector<long> x(count);
        for (std::size_t i = 0; i < count; ++i) x[i] = (me.rank() + 1) * (call + 1) + static_cast<long>(i);
        if (scans)
          me.scan(x, std::plus<>{}, {.schedule = &schedule});
        else
          me.all_reduce(x, std::plus<>{}, {.schedule = &schedule});
        for (std::size_t i = 0; i < count; ++i)
          wrong += x[i] != (last + 1) * (last + 2) / 2 * (call + 1) + (last + 1) * static_cast<long>(i);
      }
    });
    return wrong.load();
  };
  // Node 2 reads what node 1 gives a result for; node 1 keeps a result that node 2 reads the operand of.
  CHECK(runs(3, false, "nodes 3 blocks 1\n1: 0+>1 2>+1 0+>2 1+>2\n2: 1>0\n") == 0);
  CHECK(runs(4, false, "nodes 4 blocks 1\n1: 1>+0\n2: 0+>2 3>+2 0+>3 2+>3\n3: 2>0\n4: 2>1\n") == 0);
  // Copies of one slice are divided among two nodes.
  CHECK(runs(3, true,
             "nodes 3 blocks 9\n1: 1>+0[7-8:4-5] 0>2[7-8:1-2] 0+>2[7-8] 1+>2[7-8] 0+>1[6] 0+>1[6:3] 2>+1[6]\n"
             "2: 0>1[4-5] 2>0[1-2] 1>2[6]\n") == 0);
  // Node 3 keeps the sum of all but its last operand, and gives away the sum of all.
  CHECK(runs(5, true,
             "nodes 5 blocks 25\n1: 2>+1[20]\n2: 1>2[20]\n3: 0+>2[20]\n"
             "4: 0+>3[20:15] 1+>3[20:15] 2+>3[20] 4>+3[20]\n5: 3>4[20]\n6: 0+>1[20:5]\n7: 1+>2[5:10]\n"
             "8: 0>1[21-24:1-4]\n9: 1>0[1-4]\n10: 0+>1[21-24:6-9]\n11: 1+>2[6-9:11-14]\n"
             "12: 2+>3[11-14:16-19]\n13: 3+>4[16-19:21-24]\n") == 0);
}

TEST_CASE("a schedule that does not do what the call asks for is refused with the reason") {
  CHECK(refused_broadcast(3, "nodes 2 blocks 1\n1: 0>1\n") ==
        "mine cannot run as broadcast from or to root 0: the schedule is for 2 nodes, and there are 3");
  CHECK(refused_broadcast(3, "nodes 3 blocks 1\n1: 0>1\n").find("node 2") != std::string::npos);
  CHECK(refused_broadcast(2, "nodes 2 blocks 1\n1: 0>1\n", 1) != "");
  CHECK(refused_broadcast(2, "nodes 2 blocks 0\n1: 0>1\n") ==
        "mine cannot run as broadcast from or to root 0: the schedule has 0 blocks, broadcast on 2 nodes "
        "needs a "
        "multiple of 1");
  CHECK(refused_broadcast(2, "nodes 2 blocks 1\n1: 0>1\n2: 0>1\n") != "");
  CHECK(refused_broadcast(64, "nodes 64 blocks 10000000\n1: 0>1\n")
            .find("too many to be verified: 67108864 on all nodes together are the most") !=
        std::string::npos);
  const OwnSchedule chain = own("nodes 2 blocks 1\n1: 0>1\n");
  CHECK(refusal(2, [&](vnode::Node& me) {
          int x[1] = {1};
          me.all_reduce(x, std::plus<>{}, {.schedule = &chain});
        }).starts_with("mine cannot run as all_reduce: "));
  CHECK(refusal(2,
                [&](vnode::Node& me) {
                  int x[2] = {1, 2};
                  me.all_gather(x, {.schedule = &chain});
                }) ==
        "mine cannot run as all_gather: the schedule has 1 blocks, all_gather on 2 nodes needs a multiple of "
        "2");
  CHECK(refusal(2, [&](vnode::Node& me) {
          int x[1] = {1};
          me.broadcast(x, 0, {.algorithm = "broadcast_binomial", .schedule = &chain});
        }) == "broadcast: both an algorithm, broadcast_binomial, and a schedule are asked for");
}

TEST_CASE("operators that are not commutative and deterministic calls ask for more") {
  vnode::Team team(3, vnode::shapes::full{}, patient());
  const auto reduce = [&](const OwnSchedule& schedule, auto op, bool deterministic) {
    int result = -1;
    const std::string text = sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
      int x[1] = {me.rank() + 1};
      me.reduce(x, op, 0, {.deterministic = deterministic, .schedule = &schedule});
      if (me.rank() == 0) result = x[0];
    });
    return text.empty() ? std::to_string(result) : text;
  };
  const std::string begin = "mine cannot run as reduce from or to root 0: ";
  CHECK(reduce(own(out_of_order), std::plus<>{}, false) == "6");
  CHECK(reduce(own(out_of_order), Last{}, false) ==
        begin + "it does not combine in rank order, which an operator that is not commutative needs");
  CHECK(reduce(own(in_order), Last{}, false) == "3");
  CHECK(reduce(own(in_order), std::plus<>{}, true) == "6");
  CHECK(reduce(own(out_of_order), std::plus<>{}, true).find("does not compute the canonical expression") !=
        std::string::npos);
}

TEST_CASE("a scan's schedule may have running totals or none") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  const auto scan = [&](vnode::Schedule given) {
    bool right = true;
    const OwnSchedule schedule{std::move(given)};
    const std::string wrong = sentence<vnode::UsageError>(team, [&](vnode::Node& me) {
      int x[2] = {me.rank() + 1, 10};
      me.scan(x, std::plus<>{}, {.schedule = &schedule});
      const int sums[] = {1, 3, 6, 10};
      if (x[0] != sums[me.rank()] || x[1] != 10 * (me.rank() + 1)) right = false;
    });
    return wrong.empty() && right;
  };
  CHECK(scan(vnode::schedule_from_text("nodes 4 blocks 2\n1: 0+>1\n2: 1+>2\n3: 2+>3\n")));
  CHECK_FALSE(scan(vnode::schedule_from_text("nodes 4 blocks 2\n1: 0+>1\n2: 1+>2\n3: 2+>3[0]\n")));
  const vnode::Parameters parameters{.nodes = 4};
  const vnode::Schedule totals = vnode::algorithm("scan_hypercube").build(parameters);
  REQUIRE(totals.blocks() == 2);
  CHECK(scan(totals));
}

TEST_CASE("a v-variant's schedule carries nothing whose size its nodes do not know") {
  vnode::Team team(4, vnode::shapes::full{}, patient());
  const auto scatter = [&](const std::string& text) {
    return sentence<vnode::UsageError>(team, [schedule = own(text)](vnode::Node& me) {
      const std::vector<std::size_t> counts{1, 0, 3, 2};
      std::vector<int> all(6), mine(counts[static_cast<std::size_t>(me.rank())]);
      std::iota(all.begin(), all.end(), 0);
      me.scatter_v(all, {counts}, mine, 0, {.schedule = &schedule});
      const int first[] = {0, 1, 1, 4};
      for (std::size_t i = 0; i < mine.size(); ++i)
        REQUIRE(mine[i] == first[me.rank()] + static_cast<int>(i));
    });
  };
  CHECK(scatter("nodes 4 blocks 4\n1: 0>1[1] 0>2[2] 0>3[3]\n") == "");
  CHECK(scatter("nodes 4 blocks 4\n1: 0>2[2-3]\n2: 0>1[1] 2>3[3]\n")
            .find("it carries parts whose sizes only other nodes know") != std::string::npos);
}

TEST_CASE("nodes that bring other schedules do not match") {
  vnode::Team team(2, vnode::shapes::full{}, patient());
  const OwnSchedule one = own("nodes 2 blocks 1\n1: 0>1\n"), two = own("nodes 2 blocks 2\n1: 0>1\n", "other");
  CHECK(sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
          int x[2] = {1, 2};
          me.broadcast(x, 0, {.schedule = me.rank() == 0 ? &one : &two});
        }).find("by mine") != std::string::npos);
  const OwnSchedule twin = own("nodes 2 blocks 3\n1: 0>1\n");
  const std::string text = sentence<vnode::Mismatch>(team, [&](vnode::Node& me) {
    int x[2] = {1, 2};
    me.broadcast(x, 0, {.schedule = me.rank() == 0 ? &one : &twin});
  });
  CAPTURE(text);
  CHECK(text.ends_with("by mine, with another schedule or other options"));
}

TEST_CASE("blocks that may be of other sizes do not change places") {
  // Of 3 integers, cut into 2 blocks, the first has 2 and the second 1.
  const OwnSchedule gathers =
      own("nodes 3 blocks 6\n1: 0>1[0:5]\n2: 1>2[5:0]\n3: 2>1[4-5]\n4: 0>1[0-1]\n5: 0>2[1]\n6: 1>2[2-3]\n"
          "7: 1>0[2-3]\n8: 2>0[4-5]\n");
  CHECK(refusal(3,
                [&](vnode::Node& me) {
                  std::vector<int> x(9);
                  me.all_gather(x, {.schedule = &gathers});
                }) ==
        "mine cannot run as all_gather: round 1: node 0 sends block 0 into block 5 of node 1, which "
        "may be of another size");
  const OwnSchedule scatters =
      own("nodes 3 blocks 3\n1: 1+>2[2]\n2: 2>1[0:2]\n3: 1>+0[2:0]\n4: 1>+0[0]\n5: 0+>1[1]\n6: 2>+1[1]\n"
          "7: 0+>2[2]\n");
  const auto reduce_scatter = [&](std::vector<std::size_t> counts) {
    return refusal(3, [&, counts](vnode::Node& me) {
      std::vector<int> all(counts[0] + counts[1] + counts[2], 1),
          own(counts[static_cast<std::size_t>(me.rank())]);
      me.reduce_scatter_v(all, own, counts, std::plus<>{}, {.schedule = &scatters});
      REQUIRE(own == std::vector<int>(own.size(), 3));
    });
  };
  CHECK(reduce_scatter({4, 1, 1000}) ==
        "mine cannot run as reduce_scatter: round 2: node 2 sends block 0 into block 2 of node 1, which may "
        "be of another size");
  vnode::Team team(3, vnode::shapes::full{}, patient());
  CHECK(sentence<vnode::UsageError>(team, [&](vnode::Node& me) {  // all shares are equal
          std::vector<int> all(30, 1), own(10);
          me.reduce_scatter(all, own, std::plus<>{}, {.schedule = &scatters});
          REQUIRE(own == std::vector<int>(10, 3));
        }) == "");
}

TEST_CASE("what several combine into a place at the same time comes in equal lists") {
  const auto reduce = [](int nodes, const std::string& text) {
    return refusal(nodes, [schedule = own(text)](vnode::Node& me) {
      std::vector<int> x(10, 1 << me.rank());
      me.reduce(x, std::plus<>{}, 0, {.schedule = &schedule});
      if (me.rank() == 0) REQUIRE(x == std::vector<int>(10, (1 << me.size()) - 1));
    });
  };
  const std::string begin = "mine cannot run as reduce from or to root 0: ",
                    end = " of node 0 at the same time must come in equal lists of blocks";
  CHECK(reduce(4, "nodes 4 blocks 2\n1: 1>+0 2>+0[0] 3>+0[1]\n2: 2>+0[1] 3>+0[0]\n") ==
        begin + "round 1: what goes into block 0" + end);
  CHECK(reduce(4, "nodes 4 blocks 2\n1: 1>+0 2>+0[0-1] 3>+0\n") == "");
  CHECK(reduce(3, "nodes 3 blocks 2\n1: 1>+0[1] \n2: 2>1[0:1]\n3: 1>+0[0,1:0,0]\n4: 2>+0[1]\n")
            .find("round 3: what goes into block 0" + end) != std::string::npos);
}

TEST_CASE("an exclusive scan's schedule has two or three copies of its blocks") {
  const auto scan = [](int nodes, vnode::Schedule given, const vnode::CallOptions& options = {}) {
    return refusal(nodes, [&](vnode::Node& me) {
      const OwnSchedule schedule(given, "mine");
      vnode::CallOptions wanted = options;
      wanted.schedule = &schedule;
      int x[] = {me.rank() + 1, 10}, y[] = {0, 0};
      me.exclusive_scan(x, y, std::plus<>{}, wanted);
      const int r = me.rank();
      REQUIRE(y[0] == r * (r + 1) / 2);
      REQUIRE(y[1] == 10 * r);
    });
  };
  const std::string two = "nodes 3 blocks 2\n1: 0>1[1:0]\n2: 0>2[1:0]\n3: 1>+2[1:0]\n";
  CHECK(scan(3, vnode::schedule_from_text(two)) == "");
  CHECK(scan(3, vnode::schedule_from_text(two), {.segments = 1}) == "");
  CHECK(scan(1, vnode::schedule_from_text("nodes 1 blocks 2\n")) == "");
  const vnode::Schedule three =
      vnode::algorithm("exclusive_scan_two_tree").build({.nodes = 4, .segments = 2});
  REQUIRE(three.blocks() == 6);
  CHECK(scan(4, three) == "");
  CHECK(scan(3, vnode::schedule_from_text("nodes 3 blocks 2\n1: 0>1[1:0]\n")) != "");
  CHECK(scan(2, vnode::schedule_from_text("nodes 2 blocks 1\n1: 0>1\n")) ==
        "mine cannot run as exclusive_scan: the schedule has 1 blocks, exclusive_scan needs a multiple of 2 "
        "or 3");
}

TEST_CASE("of what is wrong with a million blocks a hundred sentences are told") {
  const vnode::Schedule schedule = vnode::schedule_from_text("nodes 3 blocks 1000000\n1: 0>1\n");
  vnode::Demand demand{.collective = vnode::Collective::broadcast};
  demand.parameters.nodes = 3;
  const std::vector<std::string> wrong = faults(schedule, demand);
  REQUIRE(wrong.size() == 101);
  CHECK(wrong[99].find("block 99 of node 2") != std::string::npos);
  CHECK(wrong[100] == "and 999900 more");
  CHECK(refused_broadcast(3, "nodes 3 blocks 1000000\n1: 0>1\n").ends_with("; and more"));
}
