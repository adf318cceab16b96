#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <vnode/lab/cost.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/topology.hpp>

#include "communicator/call_kinds.hpp"
#include "communicator/context_numbers.hpp"
#include "communicator/overrides.hpp"
#include "communicator/plans.hpp"
#include "communicator/split_groups.hpp"
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
  const std::shared_ptr<SplitGroups>& groups;
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
  SharedGroup(const SharedGroup&) = delete;
  SharedGroup& operator=(const SharedGroup&) = delete;
  ~SharedGroup() {
    if (listed_in != nullptr) listed_in->end(*this);
    if (number) number->set_last_call(newest_call());
  }
  /// When no member makes calls: the number of the newest that any has made.
  std::uint32_t newest_call() const {
    std::uint32_t newest = first_call;
    for (const auto& station : stations) {
      // Relaxed: whoever has dropped the group has done so after its last call.
      const std::uint32_t call = History::of(station->history.load(std::memory_order_relaxed)).call;
      if (static_cast<std::int32_t>(call - newest) > 0) newest = call;
    }
    return newest;
  }

  /// Of a group that a split has made, between runs: its calls begin again. The team's stations are its
  /// fabric's.
  void reset() {
    for (const auto& station : stations) {
      station->clear();
      station->begin_at(first_call);
    }
  }

  const TeamFacts& facts;
  Topology topology;
  Context context;
  Plans plans;
  std::vector<std::shared_ptr<Station>> stations;  ///< those of a group that ends before its team
  std::optional<ContextNumber> number;             ///< of such a group
  std::shared_ptr<SplitGroups> listed_in;          ///< of such a group, which may outlive its team
  std::uint32_t first_call = 0;                    ///< the number before that of the first call
  std::uint16_t generation = 0;  ///< another for each group that has had the number: its messages bear it
};

}
