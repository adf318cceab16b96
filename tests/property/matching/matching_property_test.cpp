#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "plan.hpp"

using namespace vnode_test;

namespace {

std::uint64_t seeds_of_matching() {
  if (std::getenv("VNODE_SOAK") != nullptr) return 100000;
  const char* trials = std::getenv("VNODE_TRIALS");  // of stress tests
  return trials != nullptr ? std::strtoull(trials, nullptr, 10) / 10 : 1000;
}

}  // namespace

TEST_CASE("whatever is received how, an order of matches that MPI allows explains it") {
  std::uint64_t first = 1, last = seeds_of_matching();
  if (const char* seed = std::getenv("VNODE_SEED")) first = last = std::strtoull(seed, nullptr, 10);
  std::size_t messages = 0;
  std::map<std::pair<int, int>, std::unique_ptr<vnode::Team>> teams;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Plan plan = planned(seed);
    CAPTURE(seed);
    // Teams serve many programs: nothing of one must be left for the next.
    std::unique_ptr<vnode::Team>& team = teams[{plan.nodes, plan.kind}];
    if (team == nullptr)
      team = std::make_unique<vnode::Team>(plan.nodes, vnode::shapes::full{}, plan.options);
    REQUIRE(fault_in(plan, *team) == "");
    messages += plan.messages.size();
  }
  MESSAGE(messages << " messages");
}

TEST_CASE("the reference of matching knows what MPI does not allow") {
  using vnode::any_source, vnode::any_tag;
  const std::vector<Sent> two{{0, 1, 0, 5}, {0, 1, 0, 6}}, others{{0, 1, 0, 5}, {0, 2, 0, 5}};
  const Asked any{}, five{1, 5}, six{1, 6};
  const auto got = [](const Asked& asked, int posted, int complete, int message, bool probe = false) {
    return Seen{asked, probe, posted, complete, Seen::never, message};
  };
  // In order, and overtaken.
  CHECK(fault_of(two, {got(any, 0, 1, 0), got(any, 2, 3, 1)}) == "");
  CHECK(fault_of(two, {got(any, 0, 1, 1), got(any, 2, 3, 0)}) != "");
  CHECK(fault_of(two, {got(six, 0, 1, 1), got(any, 2, 3, 0)}) == "");
  CHECK(fault_of(others, {got(any, 0, 1, 1), got(any, 2, 3, 0)}) == "");
  // Receives in the order in which they were started.
  CHECK(fault_of(two, {got(any, 0, 9, 0), got(five, 1, 9, 1)}) != "");
  CHECK(fault_of(two, {got(any, 0, 9, 1), got(five, 1, 9, 0)}) != "");
  CHECK(fault_of(others, {got(any, 0, 9, 0), got(any, 1, 9, 1)}) == "");
  CHECK(fault_of(others, {got(any, 0, 9, 1), got(any, 1, 9, 0)}) == "");
  CHECK(fault_of(others, {got(any, 0, 9, 1), got({1, any_tag}, 1, 2, 0)}) == "");
  // The first is cancelled when the second has got what it would have got.
  Seen cancelled{any, false, 0, Seen::never, 3, -1};
  CHECK(fault_of(others, {cancelled, got(any, 1, 4, 0), got(any, 5, 6, 1)}) == "");
  CHECK(fault_of(others, {cancelled, got(any, 1, 2, 0), got(any, 5, 6, 1)}) != "");
  // A probe sees what a receive would get.
  CHECK(fault_of(two, {got(any, 0, 1, 0, true), got(any, 2, 3, 0), got(any, 4, 5, 1)}) == "");
  CHECK(fault_of(two, {got(any, 0, 1, 1, true), got(any, 2, 3, 0), got(any, 4, 5, 1)}) != "");
  CHECK(fault_of(others, {got({2, 5}, 0, 9, 1), got(any, 1, 2, 1, true), got(any, 3, 4, 0)}) != "");
  CHECK(fault_of(two, {got(any, 0, 1, 0), got(any, 2, 3, 0)}) == "message 0 was received twice");
}
