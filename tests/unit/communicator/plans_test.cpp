#include "communicator/plans.hpp"

#include <doctest/doctest.h>
#include <limits>

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

/// The exception that the call is refused with, which the plans keep; null: it is not.
const UsageError* refusal(Plans& plans, const CallKey& key) {
  try {
    plans.prepare(key);
  } catch (const UsageError& error) {
    return &error;
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
  const UsageError* const first = refusal(plans, broadcast_by(wrong));
  REQUIRE(first != nullptr);
  CHECK(refusal(plans, broadcast_by(wrong)) == first);
  CHECK(refusal(plans, broadcast_by(right)) == nullptr);
  CHECK(refusal(plans, broadcast_by(wrong)) == first);
  CHECK(refusal(plans, broadcast_by(worse)) != nullptr);
  CallKey other = broadcast_by(wrong);
  other.root = 2;
  CHECK(refusal(plans, other) != nullptr);
}
