#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <vnode/cost.hpp>
#include <vnode/machine.hpp>
#include <vnode/placement.hpp>
#include <vnode/topology.hpp>

#include "communicator/call_kinds.hpp"
#include "communicator/context_numbers.hpp"
#include "communicator/overrides.hpp"
#include "communicator/plans.hpp"
#include "runtime/context.hpp"
#include "runtime/plan.hpp"

namespace vnode {

/// What all groups of a team have in common, and nobody changes while a run goes on.
struct TeamFacts {
  const Machine& machine;
  const Mapping& mapping;
  const Profile& profile;
  const Overrides& overrides;
  const CostModel& costs;
  ContextNumbers& numbers;
  CallKinds& kinds;
  bool checked = false;        ///< signatures are compared before every call
  bool deterministic = false;  ///< every combining call is
  std::shared_ptr<PlanCache> plans = std::make_shared<PlanCache>();
};

/// What the nodes of a group share.
struct SharedGroup {
  /// `context` is of the group's nodes.
  SharedGroup(const TeamFacts& facts_, Topology topology_, Context context_)
      : facts(facts_),
        topology(std::move(topology_)),
        context(std::move(context_)),
        plans(topology, facts.profile, facts.overrides, facts.costs, facts.kinds,
              Nearness(facts.machine, facts.mapping, context.nodes()), facts.plans) {}

  const TeamFacts& facts;
  Topology topology;
  Context context;
  Plans plans;
  std::vector<std::shared_ptr<Station>> stations;  ///< those of a group that ends before its team
  std::optional<ContextNumber> number;             ///< of such a group
  std::uint32_t first_call = 0;                    ///< the number before that of the first call
  std::uint16_t generation = 0;  ///< another for each group that has had the number: its messages bear it
};

}
