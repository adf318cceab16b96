// Tests how much scratch calls take.
#include <doctest/doctest.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/select.hpp>
#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

/// Blocks that pass through a node: what it gets and neither brings nor takes away, with the rounds in which
/// it comes and in which it is sent on for the last time.
struct Passing {
  std::size_t at_a_time = 0;  ///< the most that live in one round
  std::size_t in_all = 0;
};

Passing passing_through(const vnode::Schedule& schedule, const vnode::Contract& contract, int rank) {
  std::set<int> own;
  const vnode::Share& share = contract.shares[static_cast<std::size_t>(rank)];
  for (const auto& list : {share.input, share.output})
    for (const vnode::Interval& interval : list)
      for (int block = interval.first; block < interval.last; ++block) own.insert(block);
  std::map<int, std::pair<std::size_t, std::size_t>> lives;
  for (std::size_t round = 0; round < schedule.rounds().size(); ++round)
    for (const vnode::Transfer& transfer : schedule.rounds()[round])
      for (const vnode::Interval& interval : schedule.intervals(transfer.what))
        for (int block = interval.first; block < interval.last; ++block) {
          if (transfer.to == rank && !own.contains(block)) lives[block] = {round, round};
          if (transfer.from == rank && !own.contains(block)) lives[block].second = round;
        }
  Passing passing;
  passing.in_all = lives.size();
  for (std::size_t round = 0; round < schedule.rounds().size(); ++round) {
    std::size_t living = 0;
    for (const auto& [block, life] : lives) living += life.first <= round && round <= life.second;
    passing.at_a_time = std::max(passing.at_a_time, living);
  }
  return passing;
}

}

TEST_CASE("an all-to-all on a ring of 64 nodes takes scratch for blocks that live, not for all that pass") {
  constexpr int nodes = 64;
  constexpr std::size_t bytes = 256;  // per block: too long for 48-byte lines, a multiple of a cache line
  vnode::Parameters parameters;
  parameters.nodes = nodes;
  const vnode::Schedule schedule = vnode::algorithm("all_to_all_ring").build(parameters);
  const vnode::Contract contract = vnode::all_to_all_contract(nodes, schedule.blocks());
  std::size_t living = 0, passing = 0;
  for (int rank = 0; rank < nodes; ++rank) {
    const Passing through = passing_through(schedule, contract, rank);
    living += through.at_a_time;
    passing += through.in_all;
  }
  // Of the first round p - 2 blocks, still being read in the second, in which p - 3 come.
  REQUIRE(living == nodes * (2 * nodes - 5));
  REQUIRE(passing == nodes * ((nodes - 2) * (nodes - 1) / 2));

  vnode::TeamOptions options = patient();
  options.costs = vnode::typical_costs;  // no calls but those below
  vnode::Team team(nodes, vnode::shapes::ring{}, options);
  team.run([&](vnode::Node& me) {
    const std::size_t count = bytes / sizeof(int);
    std::vector<int> in(count * nodes), out(count * nodes);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = me.rank() * nodes + static_cast<int>(i / count);
    me.all_to_all(in, out, {"all_to_all_ring"});
    for (std::size_t i = 0; i < out.size(); ++i)
      REQUIRE(out[i] == static_cast<int>(i / count) * nodes + me.rank());
  });
  CHECK(team.scratch_bytes() > 0);
  CHECK(team.scratch_bytes() <= living * bytes);
}

TEST_CASE("calls that follow one another share their scratch, calls in flight do not") {
  vnode::TeamOptions options = patient();
  options.costs = vnode::typical_costs;
  vnode::Team team(4, vnode::shapes::full{}, options);
  const auto reduce = [](vnode::Node& me, std::vector<double>& x) {
    return me.nonblocking().reduce(x, std::plus<>{}, 0, {"reduce_binomial"});
  };
  for (int run = 0; run < 2; ++run) {
    team.run([&](vnode::Node& me) {
      std::vector<double> x(1000, 1.0);
      for (int i = 0; i < 5; ++i) reduce(me, x).wait();
    });
    CHECK(team.scratch_bytes() == 8000);  // node 2 alone combines what it may not overwrite
  }
  for (int run = 0; run < 2; ++run) {
    team.run([&](vnode::Node& me) {
      std::vector<double> x(1000, 1.0), y(1000, 1.0), z(1000, 1.0);
      std::vector<int> go(1);
      if (me.rank() == 3) me.recv(go, 2);  // its data end node 2's calls
      vnode::Request first = reduce(me, x), second = reduce(me, y), third = reduce(me, z);
      if (me.rank() == 2) me.send(go, 3);
      third.wait(), second.wait(), first.wait();
    });
    CHECK(team.scratch_bytes() == 3 * 8000);
  }
}

TEST_CASE("what a planned call borrows goes back when it is complete") {
  vnode::TeamOptions options = patient();
  options.costs = vnode::typical_costs;
  vnode::Team team(4, vnode::shapes::full{}, options);
  team.run([](vnode::Node& me) {
    std::vector<double> x(1000, 1.0);
    vnode::Persistent sum = me.persistent().reduce(x, std::plus<>{}, 0, {"reduce_binomial"});
    sum.start();
    sum.wait();
    me.reduce(x, std::plus<>{}, 0, {"reduce_binomial"});
  });
  CHECK(team.scratch_bytes() == 8000);
}
