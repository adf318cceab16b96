#include "communicator/plans.hpp"

#include <doctest/doctest.h>
#include <exception>
#include <limits>
#include <string>

#include <vnode/error.hpp>
#include <vnode/notation.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/select.hpp>

using namespace vnode;

namespace {

CallKey broadcast_by(const OwnSchedule& schedule) {
  CallKey key;
  key.collective = Collective::broadcast;
  key.count = 1;
  key.own = schedule.content();
  return key;
}

/// The exception that the call is refused with; null: it is not.
std::exception_ptr refusal(Plans& plans, const CallKey& key) {
  try {
    plans.prepare(key);
  } catch (const UsageError&) {
    return std::current_exception();
  }
  return nullptr;
}

}

TEST_CASE("a schedule that is refused is not verified again for every node of the call") {
  const Topology topology(full{}, 3);
  const Overrides overrides = Overrides::parse("");
  CallKinds kinds;
  const Machine machine = Machine::from_synthetic("core:3 pu:1");
  const std::vector<Rank> nodes{0, 1, 2};
  Plans plans(topology, {48, 48, std::numeric_limits<std::size_t>::max()}, overrides, typical_costs, kinds,
              Nearness(machine, compact_mapping(machine, 3), nodes));
  const OwnSchedule wrong(schedule_from_text("nodes 3 blocks 1\n1: 0>1\n")),
      worse(schedule_from_text("nodes 3 blocks 1\n1: 1>0\n")),
      right(schedule_from_text("nodes 3 blocks 1\n1: 0>1 0>2\n"));
  const std::exception_ptr first = refusal(plans, broadcast_by(wrong));
  REQUIRE(first != nullptr);
  CHECK(refusal(plans, broadcast_by(wrong)) == first);
  CHECK(refusal(plans, broadcast_by(right)) == nullptr);
  CHECK(refusal(plans, broadcast_by(wrong)) == first);
  CHECK(refusal(plans, broadcast_by(worse)) != nullptr);
  CallKey other = broadcast_by(wrong);
  other.root = 2;
  CHECK(refusal(plans, other) != nullptr);
}

TEST_CASE("an algorithm that is refused is not tried again for every node of the call") {
  const Topology topology(full{}, 3);
  const Overrides overrides = Overrides::parse("");
  CallKinds kinds;
  const Machine machine = Machine::from_synthetic("core:3 pu:1");
  const std::vector<Rank> nodes{0, 1, 2};
  Plans plans(topology, {48, 48, std::numeric_limits<std::size_t>::max()}, overrides, typical_costs, kinds,
              Nearness(machine, compact_mapping(machine, 3), nodes));
  const auto refused_by = [&](const std::string& name) {
    CallKey key;
    key.collective = Collective::broadcast;
    key.algorithm = name;  // which ends with the call
    return refusal(plans, key);
  };
  const std::exception_ptr first = refused_by("broadcast_hypercube");
  REQUIRE(first != nullptr);
  CHECK(refused_by("broadcast_hypercube") == first);
  CHECK(refused_by("broadcast_hypercubd") != first);
  CHECK(refused_by("broadcast_binomial") == nullptr);
  CHECK(refused_by("broadcast_hierarchical") != nullptr);
}

TEST_CASE("what is near is found out once, whatever the count") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:1 core:4 pu:1");
  const std::vector<Rank> nodes{0, 1, 2, 3, 4, 5, 6, 7};
  Nearness nearness(machine, compact_mapping(machine, 8), nodes);
  const CostModel* const near = nearness.near_costs(nearness.hierarchy(), typical_costs).data();
  REQUIRE(near != nullptr);
  CHECK(nearness.near_costs(nearness.hierarchy(), typical_costs).data() == near);
  const Hierarchy other = nearness.parsed("package,inner=linear");
  CHECK(other.text() == "2x4,inner=linear");
  CHECK(&nearness.parsed("package,inner=linear") == &nearness.parsed("package,inner=linear"));
  nearness.near_costs(other, typical_costs);
  CHECK(nearness.near_costs(nearness.hierarchy(), typical_costs).data() == near);
}
