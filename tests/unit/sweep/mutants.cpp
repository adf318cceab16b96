#include <doctest/doctest.h>
#include <set>
#include <string>

#include <vnode/error.hpp>
#include <vnode/lab/mutants.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/compose.hpp>
#include <vnode/model/verify.hpp>

using namespace vnode;

namespace {

Contract gathering(int nodes, bool everywhere) {
  Contract contract{nodes, 1, false, {}};
  for (Rank rank = 0; rank < nodes; ++rank) {
    contract.shares.push_back({{{rank, rank + 1}}, {}, {0, nodes}});
    if (everywhere || rank == 0) contract.shares.back().output = {{0, nodes}};
  }
  return contract;
}

Contract reduce_scatter(int nodes) {
  Contract contract{nodes, 1, false, {}};
  for (Rank rank = 0; rank < nodes; ++rank)
    contract.shares.push_back({{{0, nodes}}, {{rank, rank + 1}}, {0, nodes}});
  return contract;
}

// Returns what is left of the mutants when those that the verifier rejects are gone.
std::vector<std::string> survivors(const Schedule& schedule, const Contract& contract,
                                   const Promises& promises) {
  REQUIRE(verify(schedule, contract, promises).empty());
  std::vector<std::string> list;
  for (const Mutant& mutant : mutants(schedule))
    if (verify(mutant.schedule, contract, promises).empty()) list.push_back(mutant.mistake);
  const MutantFindings findings = verify_mutants(schedule, contract, promises);
  CHECK(findings.mutants == static_cast<long>(mutants(schedule).size()));
  CHECK(findings.survivors == list);
  return list;
}

}  // namespace

TEST_CASE("every kind of mistake is made, and every mutant differs from the schedule") {
  const Schedule schedule = schedule_from_text("nodes 3 blocks 3\n1: 0>1[0]\n2: 1+>2[0-1:1-2]");
  std::set<std::string> kinds, texts;
  for (const Mutant& mutant : mutants(schedule)) {
    CHECK_FALSE(mutant.schedule == schedule);
    kinds.insert(mutant.mistake.substr(mutant.mistake.find(':') + 2));
    texts.insert(to_text(mutant.schedule));
  }
  for (const char* kind :
       {"dropped", "there twice", "into node 0", "from node 2", "what is sent shifted by 1",
        "where it goes shifted by 2", "all blocks shifted by 1", "replace instead of combine_before",
        "combine_after instead of combine_before", "one round earlier", "without its first block",
        "without its last block", "with one block more"})
    CHECK_MESSAGE(kinds.contains(kind), kind);
  CHECK(texts.size() == mutants(schedule).size());
}

TEST_CASE("schedules of many blocks have no surviving mutants") {
  const Schedule gather = schedule_from_text(
      "nodes 4 blocks 4\n1: 0>1[0] 1>0[1] 2>3[2] 3>2[3]\n2: 0>2[0-1] 2>0[2-3] 1>3[0-1] 3>1[2-3]");
  const auto cube = [](int round, Rank from, Rank to) { return (from ^ to) == 1 << round; };
  CHECK(survivors(gather, gathering(4, true),
                  {.rounds = 2, .transfers = 8, .cost = Cost{2, 3, 3, 0}, .peers = cube})
            .empty());
  const auto backwards = [](int round, Rank from, Rank to) { return (from ^ to) == 2 >> round; };
  CHECK(survivors(compose::dual(gather), reduce_scatter(4),
                  {.rounds = 2, .transfers = 8, .cost = Cost{2, 3, 3, 3}, .peers = backwards})
            .empty());
  const Schedule to_root = schedule_from_text("nodes 4 blocks 4\n1: 1>0[1] 3>2[3]\n2: 2>0[2-3]");
  CHECK(survivors(to_root, gathering(4, false),
                  {.rounds = 2, .transfers = 3, .cost = Cost{2, 3, 3, 0}, .peers = cube})
            .empty());
}

TEST_CASE("without promised peers a mutant may be another right schedule: the promise is what rejects it") {
  const Schedule broadcast = schedule_from_text("nodes 5 blocks 1\n1: 0>4\n2: 0>2\n3: 0>1 2>3");
  const Contract contract = broadcast_contract(5, 1, 0);
  CHECK(survivors(broadcast, contract, {.rounds = 3, .transfers = 4}) ==
        std::vector<std::string>{"round 2, transfer 1 (0>2): from node 4",
                                 "round 3, transfer 1 (0>1): from node 4",
                                 "round 3, transfer 2 (2>3): from node 4"});
  const auto halving = [](int round, Rank from, Rank to) { return to - from == 4 >> round; };
  CHECK(survivors(broadcast, contract, {.rounds = 3, .transfers = 4, .peers = halving}).empty());
}

TEST_CASE("a block too many survives where nobody sees it, but for the check that nothing is sent in vain") {
  const Schedule scatter = schedule_from_text("nodes 4 blocks 4\n1: 0>2[2-3]\n2: 0>1[1] 2>3[3]");
  const Contract contract = scatter_contract(4, 4, 0);
  const auto halving = [](int round, Rank from, Rank to) { return to - from == 2 >> round; };
  const Promises promises{.rounds = 2, .transfers = 3, .peers = halving};
  CHECK(survivors(scatter, contract, promises).empty());
  Schedule generous = scatter;
  generous.round(0)[0].what = generous.round(0)[0].into = generous.interval(1, 4);
  CHECK(verify(generous, contract, promises) ==
        std::vector<std::string>{"round 1: node 0 sends block 1 to node 2 in vain: no output depends on it"});
}

TEST_CASE(
    "mutants of barriers and of rounds with several messages to one node are verified as they are alone") {
  CHECK(survivors(schedule_from_text("nodes 3 blocks 0\n1: 0>1 1>2 2>0\n2: 0>2 1>0 2>1"), barrier_contract(3),
                  {.rounds = 2, .transfers = 6})
            .empty());
  const Schedule direct = schedule_from_text("nodes 4 blocks 1\n1: 0+>1 2>+1 3>+1\n2: 1>0 1>2 1>3");
  CHECK(survivors(direct, all_reduce_contract(4, 1), {.ports = Ports::all, .rounds = 2, .transfers = 6})
            .empty());
}

TEST_CASE("a wrong schedule has no mutants") {
  CHECK_THROWS_WITH_AS(
      verify_mutants(schedule_from_text("nodes 2 blocks 1\n1:"), broadcast_contract(2, 1, 0)),
      "changes of a schedule that is wrong itself are not verified: at the end block 0 of node 1 must hold "
      "the "
      "contributions of 0, but holds nothing",
      UsageError);
}
