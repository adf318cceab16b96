#pragma once

#include <span>
#include <vector>

#include <vnode/hierarchy.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/machine_domains.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/profile.hpp>
#include <vnode/model/select.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns a function from the name of a level to its domains, for nodes with this mapping, so that
/// Hierarchy::parse reads "numa" or "package/l3". It refers to its arguments.
Hierarchy::Named named_domains(const Machine& machine, const Mapping& mapping);

/// Returns the hierarchy of machines, packages, NUMA nodes and L3s that the mapping's nodes run in. A level
/// is left out if all nodes share one domain, if each has its own, if it equals the level outside, or if a
/// domain is in several of that. Empty if no level is left. `processes`: the nodes of each process, a level
/// inside machines; none if all are in one. `carriers`: the nodes of each thread, the innermost level; none
/// if each has its own.
Hierarchy machine_hierarchy(const Machine& machine, const Mapping& mapping, Hierarchy::Domains processes = {},
                            Hierarchy::Domains carriers = {});

/// Returns the likely costs of messages between PUs of a machine that nobody has measured: by the distances
/// that it reports, or else typical ones.
MachineProfile guessed_profile(const Machine& machine);

/// Returns the costs of messages between nodes that are apart at 0, 1, ... levels of the hierarchy
/// (Hierarchy::apart), one more than it has levels; node i is on PU pus[i]. They are those of the farthest
/// class of such pairs; if there is no such pair, those of one level nearer. O(nodes^2 + PUs).
std::vector<CostModel> costs_by_level(const MachineProfile& profile, const Machine& machine,
                                      std::span<const int> pus, const Hierarchy& hierarchy);

/// Returns the costs of messages between the farthest of these nodes, by which their calls are chosen:
/// `costs`, those between the farthest nodes of one machine, or the profile's across machines where there are
/// several. O(nodes).
CostModel farthest_costs(const MachineProfile& profile, const Machine& machine, std::span<const int> pus,
                         const CostModel& costs);

/// Returns the values of Demand::near: `costs` for the farthest nodes of one machine, scaled for nearer ones
/// by the profile's ratios, and the profile's own between machines. Empty without a hierarchy of these nodes,
/// or if no pair is cheaper than another.
std::vector<CostModel> near_costs(const MachineProfile& profile, const Machine& machine,
                                  std::span<const int> pus, const Hierarchy& hierarchy,
                                  const CostModel& costs);

/// Returns the demand of a call, from or to node 0, as a team makes it whose nodes run on the machine in this
/// mapping, where messages between the farthest have these costs: with the machine's hierarchy, and segments
/// left to the choice.
Demand team_demand(Collective collective, std::size_t bytes, const Topology& topology, const Machine& machine,
                   const Mapping& mapping, const CostModel& costs);

}  // namespace vnode
#pragma GCC visibility pop
