#include "schedule/patterns.hpp"

#include <doctest/doctest.h>

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
