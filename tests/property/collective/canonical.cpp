#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <string_view>

#include <vnode/lab/sweep.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/verify.hpp>

using namespace vnode;

namespace {

// Returns whether it is canonical in every way to call it that keeps rank order.
bool always_canonical(std::string_view name, int nodes) {
  const Algorithm& subject = algorithm(name);
  const std::vector<Parameters> ways = every_way(subject, nodes);
  const auto kept = [](const Parameters& way) { return way.keep_order; };
  REQUIRE(std::ranges::any_of(ways, kept));
  return std::ranges::all_of(ways, [&](const Parameters& way) {
    const Schedule schedule = subject.build(way);
    return !way.keep_order || canonical(schedule, contract(subject.collective, way, schedule.blocks()));
  });
}

bool power_of_two(int nodes) { return std::has_single_bit(static_cast<unsigned>(nodes)); }

}  // namespace

TEST_CASE("some algorithms compute the canonical expression for every number of nodes") {
  for (const char* name :
       {"reduce_direct", "reduce_scatter_direct", "all_reduce_one_shot_direct", "all_reduce_two_shot_direct",
        "all_reduce_binomial", "scan_one_shot_direct", "exclusive_scan_one_shot_direct"})
    for (int nodes = 1; nodes <= 24; ++nodes) {
      CAPTURE(name);
      CHECK_MESSAGE(always_canonical(name, nodes), nodes);
    }
}

TEST_CASE(
    "the algorithms of the hypercube compute it, and so do those that fold, where all or none have a "
    "partner") {
  for (const char* name : {"reduce_doubling", "reduce_tree", "reduce_hypercube", "reduce_splitting_hypercube",
                           "reduce_scatter_hypercube", "scan_hypercube", "exclusive_scan_hypercube"})
    for (int nodes = 1; nodes <= 16; nodes *= 2) CHECK_MESSAGE(always_canonical(name, nodes), name);
  // With q = 2^floor(log2 p), p - q pairs come first: aligned with the others where 2q - p is a power of two.
  for (const char* name : {"all_reduce_doubling", "all_reduce_rabenseifner", "reduce_scatter_halving"})
    for (int nodes = 1; nodes <= 24; ++nodes) {
      CAPTURE(name);
      const int alone = 2 * static_cast<int>(std::bit_floor(static_cast<unsigned>(nodes))) - nodes;
      CHECK_MESSAGE(always_canonical(name, nodes) == power_of_two(alone), nodes);
    }
}

TEST_CASE("a chain keeps rank order and is not canonical") {
  CHECK(always_canonical("scan_linear", 3));
  CHECK_FALSE(always_canonical("scan_linear", 4));
  CHECK_FALSE(always_canonical("reduce_linear", 4));
}
