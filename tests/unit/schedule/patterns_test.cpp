#include "schedule/patterns.hpp"

#include <doctest/doctest.h>
#include <utility>

#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/cost.hpp>

using namespace vnode;

namespace {

Cost helped(const char* name, int nodes, int message_blocks = 1, double least = 0) {
  return cost_with_help(algorithm(name).build({.nodes = nodes}), message_blocks, least);
}

}

TEST_CASE("where a sender is idle, it does half of its receiver's work") {
  CHECK(helped("broadcast_linear", 2) == Cost{1, 1, 0.5, 0});
  CHECK(helped("reduce_linear", 2) == Cost{1, 1, 0.5, 0.5});
  CHECK(helped("reduce_binomial", 8) == Cost{3, 3, 1.5, 1.5});
  CHECK(helped("scan_hypercube", 2) == Cost{1, 1, 0.5, 0.5});
}

TEST_CASE(
    "no help from senders that receive, that send twice, whose message is short or one of many operands") {
  CHECK(helped("all_reduce_doubling", 8) == Cost{3, 3, 3, 3});
  CHECK(helped("broadcast_direct", 4) == Cost{1, 1, 1, 0});
  CHECK(helped("reduce_direct", 4) == Cost{1, 1, 3, 3});
  CHECK(helped("broadcast_linear", 2, 1, 1.5) == Cost{1, 1, 1, 0});
  CHECK(helped("broadcast_linear", 2, 1, 1) == Cost{1, 1, 0.5, 0});
}

TEST_CASE("results go back to those whose operands they are made of, or to some of them") {
  const auto busiest = [](const Schedule& schedule, const Contract& contract) {
    const auto found = returned(schedule, contract, 0);
    return found ? std::pair(found->messages, found->blocks) : std::pair(0, 0);
  };
  const auto of = [&](const char* name, int nodes) {
    const Parameters parameters{.nodes = nodes, .root = nodes - 1};
    const Schedule schedule = algorithm(name).build(parameters);
    return busiest(schedule, contract(algorithm(name).collective, parameters, schedule.blocks()));
  };
  CHECK(of("all_reduce_two_shot_direct", 5) == std::pair(4, 4));
  CHECK(of("reduce_splitting_direct", 5) == std::pair(1, 1));
  CHECK(of("reduce_splitting_ring", 2) == std::pair(1, 1));
  CHECK(of("scan_splitting_direct", 5) == std::pair(4, 4));
  CHECK(of("all_reduce_central", 5) == std::pair(0, 0));     // node 0 would write more than any other reads
  CHECK(of("all_reduce_ring", 5) == std::pair(0, 0));        // results go on to others
  CHECK(of("reduce_scatter_direct", 5) == std::pair(0, 0));  // there is no other round
  const auto text = [&](const char* schedule) {
    const Schedule made = schedule_from_text(schedule);
    return busiest(made, all_reduce_contract(made.nodes(), made.blocks()));
  };
  CHECK(text("nodes 3 blocks 2\n1: 0>+1[0-1] 2>+1[0-1]\n2: 1>0[0-1]") == std::pair(1, 2));
  CHECK(text("nodes 3 blocks 2\n1: 0>+1[0-1]\n2: 1>2[0-1]") == std::pair(0, 0));         // it was not asked
  CHECK(text("nodes 3 blocks 2\n1: 0>+1[0-1]\n2: 1>0[0-1] 2>0[0]") == std::pair(0, 0));  // and something else
  CHECK(text("nodes 3 blocks 2\n1: 0>1[0-1]\n2: 1>0[0-1]") == std::pair(0, 0));  // nothing is combined
  const Schedule shares = schedule_from_text("nodes 2 blocks 2\n1: 0>+1[1] 1>+0[0]\n2: 1>0[1]");
  CHECK(busiest(shares, all_reduce_contract(2, 2)) == std::pair(1, 1));
  CHECK(busiest(shares, reduce_scatter_contract(2, 2)) == std::pair(0, 0));
}

TEST_CASE("results do not go back over what others than their node still read") {
  const auto goes_back = [](const char* schedule, const Contract& contract) {
    return returned(schedule_from_text(schedule), contract, 0).has_value();
  };
  const Contract sum = all_reduce_contract(3, 1), scan = scan_contract(3, 2, 1);
  CHECK(goes_back("nodes 3 blocks 1\n1: 0>+1 2>+1\n2: 1>0", sum));
  CHECK_FALSE(goes_back("nodes 3 blocks 1\n1: 0>+1 2>+1 0>+2\n2: 1>0", sum));  // node 2 reads it, too
  CHECK_FALSE(goes_back("nodes 3 blocks 1\n1: 0>+1 2>+1 2>+0\n2: 1>0", sum));  // node 0 combines it itself
  CHECK_FALSE(goes_back("nodes 3 blocks 1\n1: 0>+1 1>+2\n2: 1>0", sum));       // it is kept where it is read
  CHECK_FALSE(goes_back("nodes 3 blocks 2\n1: 0>+1[0] 0>+1[1]\n2: 1>0[0]", scan));  // both are one memory
  // In a scan by slices each result has all contributions up to that of the rank that it goes to.
  const auto slices = [&](const std::string& first, const std::string& second) {
    return goes_back(("nodes 2 blocks 4\n1: " + first + "\n2: " + second).c_str(),
                     sliced_scan_contract(2, 4));
  };
  CHECK(slices("1>+0[2] 0>1[3:1] 0+>1[3]", "0>1[2] 1>0[1]"));
  CHECK_FALSE(slices("1>+0[2] 0>1[3:1]", "0>1[2] 1>0[3]"));     // to a rank that has not asked for it
  CHECK_FALSE(slices("1>+0[2] 0>1[3:1] 0+>1[2:3]", "1>0[1]"));  // of other data
  CHECK_FALSE(slices("1>+0[2] 0+>1[2] 0>1[3:1]", "1>0[1]"));    // by two nodes
}
