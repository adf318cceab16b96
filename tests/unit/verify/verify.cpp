#include <algorithm>
#include <doctest/doctest.h>
#include <string>

#include <vnode/lab/notation.hpp>
#include <vnode/model/verify.hpp>

using namespace vnode;

namespace {

std::vector<std::string> findings(const char* text, const Contract& contract, const Promises& promises = {}) {
  return verify(schedule_from_text(text), contract, promises);
}

bool rejected_for(const char* text, const Contract& contract, std::string_view reason,
                  const Promises& promises = {}) {
  const std::vector<std::string> list = findings(text, contract, promises);
  CAPTURE(list);
  return std::ranges::find(list, reason) != list.end();
}

const Promises all_ports{.ports = Ports::all};

}  // namespace

TEST_CASE("right schedules are accepted") {
  CHECK(findings("nodes 4 blocks 1\n1: 0>2\n2: 0>1 2>3", broadcast_contract(4, 1, 0)).empty());
  CHECK(findings("nodes 3 blocks 2\n1: 1>0\n2: 1>2[0] \n3: 1>2[1]", broadcast_contract(3, 2, 1)).empty());
  CHECK(findings("nodes 3 blocks 1\n1: 2>+1\n2: 0+>1", reduce_contract(3, 1, 1)).empty());
  CHECK(findings("nodes 3 blocks 0\n1: 0>1 1>2 2>0\n2: 0>2 1>0 2>1", barrier_contract(3)).empty());
  CHECK(findings("nodes 1 blocks 1\n", broadcast_contract(1, 1, 0)).empty());
}

TEST_CASE("an empty schedule is rejected") {
  CHECK(findings("nodes 2 blocks 1\n", broadcast_contract(2, 1, 0)).size() == 1);
  CHECK(findings("nodes 2 blocks 1\n", reduce_contract(2, 1, 0)).size() == 1);
  CHECK(findings("nodes 2 blocks 0\n", barrier_contract(2)).size() == 2);
}

TEST_CASE("a schedule of other nodes or blocks is rejected") {
  CHECK(rejected_for("nodes 2 blocks 2\n1: 0>1", broadcast_contract(2, 1, 0),
                     "the schedule has 2 nodes and 2 blocks, the contract 2 and 1"));
}

TEST_CASE("what a node does not hold it cannot send") {
  CHECK(rejected_for("nodes 3 blocks 1\n1: 0>1 1>2", broadcast_contract(3, 1, 0),
                     "round 1: node 1 sends block 0 to node 2, but does not hold it"));
}

TEST_CASE("a replace that brings what is there already is rejected") {
  CHECK(rejected_for(
      "nodes 2 blocks 1\n1: 0>1\n2: 0>1", broadcast_contract(2, 1, 0),
      "round 2: node 0 brings node 1 block 0 with the contributions of 0, which is there already"));
}

TEST_CASE("a contribution counted twice is rejected") {
  CHECK(
      rejected_for("nodes 3 blocks 1\n1: 2>+1\n2: 2>+0\n3: 1>+0", reduce_contract(3, 1, 0),
                   "round 3: block 0 of node 0 counts a contribution twice: the contributions of 0 2 and the "
                   "contributions of 1 2"));
}

TEST_CASE("a contribution lost is rejected") {
  CHECK(rejected_for(
      "nodes 3 blocks 1\n1: 2>1\n2: 1>+0", reduce_contract(3, 1, 0),
      "at the end block 0 of node 0 must hold the contributions of 0 1 2, but holds the contributions "
      "of 0 2"));
}

TEST_CASE("the operand with the lowest origin is the left one") {
  CHECK(rejected_for("nodes 2 blocks 1\n1: 1+>0", reduce_contract(2, 1, 0),
                     "round 1: what node 1 brings belongs after block 0 of node 0"));
}

TEST_CASE("several combines into one place stand in rank order, and no replace is among them") {
  const Contract reduce = reduce_contract(3, 1, 1);
  CHECK(findings("nodes 3 blocks 1\n1: 2>+1 0+>1", reduce, all_ports).empty());
  CHECK(rejected_for("nodes 3 blocks 1\n1: 2>+1 0>+1", reduce,
                     "round 1: what node 0 brings belongs before block 0 of node 1", all_ports));
  CHECK(rejected_for("nodes 3 blocks 1\n1: 2>+1 0>1", reduce,
                     "round 1: node 0 replaces block 0 of node 1 while others change it too", all_ports));
}

TEST_CASE("a block that no output depends on is sent in vain") {
  const Contract scatter = scatter_contract(3, 3, 0);
  CHECK(findings("nodes 3 blocks 3\n1: 0>1[1]\n2: 0>2[2]", scatter).empty());
  CHECK(findings("nodes 3 blocks 3\n1: 0>1[1-2]\n2: 0>2[2]", scatter) ==
        std::vector<std::string>{"round 1: node 0 sends block 2 to node 1 in vain: no output depends on it"});
  CHECK(findings("nodes 3 blocks 3\n1: 0>1[1-2]\n2: 1>2[2]", scatter).empty());
  // On a way that ends nowhere every block is in vain.
  CHECK(findings("nodes 3 blocks 3\n1: 0>2[1-2]\n2: 2>1[1]\n3: 1>2[1]", scatter).size() == 1);
  CHECK(findings("nodes 3 blocks 3\n1: 0>2[0:1] 0>1[1]\n2: 0>2[2]\n3: 2>1[1:0]", scatter, all_ports).size() ==
        2);
}

TEST_CASE("what is replaced by something else was in vain, unless it was sent on") {
  Contract contract{2, 1, false, {{{{0, 2}}, {}, {0, 2}}, {{}, {{1, 2}}, {0, 2}}}};
  CHECK(rejected_for("nodes 2 blocks 2\n1: 0>1[0:1]\n2: 0>1[1]", contract,
                     "round 1: node 0 sends block 0 to node 1 in vain: no output depends on it"));
  contract.shares.push_back({{}, {{0, 1}}, {0, 3}});
  contract.shares[0].origins = contract.shares[1].origins = {0, 3};
  CHECK(findings("nodes 3 blocks 2\n1: 0>1[0:1]\n2: 0>1[1] 1>2[1:0]", contract).empty());
}

TEST_CASE("a combine into an empty place is a replace") {
  CHECK(rejected_for("nodes 2 blocks 1\n1: 0>+1", broadcast_contract(2, 1, 0),
                     "round 1: node 0 combines into block 0 of node 1, which is empty: a move is a replace"));
}

TEST_CASE("two messages through one port are rejected, on all ports they are not") {
  const Contract broadcast = broadcast_contract(3, 1, 0), reduce = reduce_contract(3, 1, 0);
  CHECK(rejected_for("nodes 3 blocks 1\n1: 0>1 0>2", broadcast,
                     "round 1: node 0 sends 2 messages through its one port"));
  CHECK(rejected_for("nodes 3 blocks 1\n1: 1>+0 2>+0", reduce,
                     "round 1: node 0 receives 2 messages through its one port"));
  CHECK(findings("nodes 3 blocks 1\n1: 0>1 0>2", broadcast, all_ports).empty());
  CHECK(rejected_for("nodes 2 blocks 2\n1: 0>1[0] 0>1[1]", broadcast_contract(2, 2, 0),
                     "round 1: node 0 sends node 1 2 messages", all_ports));
}

TEST_CASE("transfers with equal from, to and what go through one port") {
  const Contract copies{2, 1, false, {{{{0, 2}}, {}, {0, 2}}, {{}, {{0, 2}}, {0, 2}}}, 1};
  CHECK(findings("nodes 2 blocks 2\n1: 0>1[1] 0>1[1:0]", copies).empty());
  CHECK(rejected_for("nodes 2 blocks 2\n1: 0>1[1] 0>1[0]", copies,
                     "round 1: node 0 sends 2 messages through its one port"));
}

TEST_CASE("ill-formed transfers are rejected") {
  const Contract broadcast = broadcast_contract(2, 2, 0);
  Schedule alone(2, 2);
  alone.next_round() = {{0, 0, Blocks::whole}};
  const std::vector<std::string> faults = verify(alone, broadcast);
  CHECK(std::ranges::find(faults, "round 1: node 0 sends to itself") != faults.end());
  CHECK(rejected_for("nodes 2 blocks 2\n1: 0>1[]", broadcast, "round 1: node 0 sends node 1 no block"));
  Schedule beyond(2, 2);
  beyond.next_round() = {{0, 2, Blocks::whole}, {0, 1, Blocks::whole, beyond.block(0), Effect::replace}};
  CHECK(verify(beyond, broadcast) ==
        std::vector<std::string>{"round 1: there is no node 2",
                                 "round 1: node 0 sends 2 blocks, node 1 takes in 1"});
}

TEST_CASE("a barrier in which a node does not hear of all is rejected, as is a signal that tells nothing") {
  CHECK(rejected_for("nodes 3 blocks 0\n1: 0>1 1>2 2>0", barrier_contract(3),
                     "at the end node 0 does not know that node 1 has come"));
  CHECK(rejected_for("nodes 2 blocks 0\n1: 0>1 1>0\n2: 0>1", barrier_contract(2),
                     "round 2: node 0 tells node 1 nothing new"));
  CHECK(rejected_for("nodes 2 blocks 0\n1: 0>+1 1>0", barrier_contract(2),
                     "round 1: the signal from node 0 to node 1 combines nothing: it is a replace"));
}

TEST_CASE("promises are kept") {
  const char* text = "nodes 4 blocks 1\n1: 0>2\n2: 0>1 2>3";
  const Contract broadcast = broadcast_contract(4, 1, 0);
  CHECK(findings(text, broadcast, {.rounds = 2, .transfers = 3, .cost = Cost{2, 2, 2, 0}}).empty());
  CHECK(rejected_for(text, broadcast, "3 rounds promised, there are 2", {.rounds = 3}));
  CHECK(rejected_for(text, broadcast, "4 transfers promised, there are 3", {.transfers = 4}));
  CHECK(rejected_for(
      text, broadcast,
      "the promised cost is 2 t_s + 3 t_w m (2 received), the schedule's 2 t_s + 2 t_w m (2 received)",
      {.cost = Cost{2, 3, 2, 0}}));
  CHECK(rejected_for(text, broadcast, "round 2: nodes 2 and 3 are not peers in this round",
                     {.peers = [](int round, Rank from, Rank to) { return round == 0 || from + to < 4; }}));
}

TEST_CASE("what comes first to an empty place is not combined") {
  const char *exclusive = "nodes 3 blocks 2\n1: 0>1[1:0] 0+>2[1:0] 1+>2[1:0]",
             *inclusive = "nodes 3 blocks 1\n1: 0+>1 0+>2 1+>2";
  const auto combines = [](double m) { return Promises{.ports = Ports::all, .cost = Cost{1, 1, 2, m}}; };
  CHECK(findings(exclusive, exclusive_scan_contract(3, 2, 1), combines(1)).empty());
  CHECK(rejected_for(exclusive, exclusive_scan_contract(3, 2, 1), "2 m promised to be combined, it is 1 m",
                     combines(2)));
  CHECK(findings(inclusive, scan_contract(3, 1, 1), combines(2)).empty());
}

TEST_CASE("rank order is a computed property") {
  const Contract reduce = reduce_contract(4, 1, 0);
  const char *in_order = "nodes 4 blocks 1\n1: 1>+0 3>+2\n2: 2>+0",
             *interleaved = "nodes 4 blocks 1\n1: 2>+0 3>+1\n2: 1>+0";
  CHECK(keeps_order(schedule_from_text(in_order), reduce));
  CHECK_FALSE(keeps_order(schedule_from_text(interleaved), reduce));
  CHECK(findings(interleaved, reduce).empty());
  CHECK(rejected_for(interleaved, reduce, "block 0 of node 0 is combined as 0 2 1 3, not in rank order",
                     {.in_order = true}));
}

TEST_CASE("prefix sums and all-gathers are right on a chain and a ring, and wrong without the last round") {
  const Contract scan = scan_contract(3, 1, 1), gather = all_gather_contract(3, 3);
  CHECK(findings("nodes 3 blocks 1\n1: 0+>1 1+>2\n2: 0+>2", scan, {.in_order = true}).empty());
  CHECK_FALSE(findings("nodes 3 blocks 1\n1: 0+>1\n2: 0+>2", scan).empty());
  CHECK(findings("nodes 3 blocks 3\n1: 0>1[0] 1>2[1] 2>0[2]\n2: 0>1[2] 1>2[0] 2>0[1]", gather).empty());
  CHECK_FALSE(findings("nodes 3 blocks 3\n1: 0>1[0] 1>2[1] 2>0[2]\n2: 0>1[2] 1>2[0]", gather).empty());
}
