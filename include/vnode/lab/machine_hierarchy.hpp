#pragma once

#include <span>
#include <vector>

#include <vnode/hierarchy.hpp>
#include <vnode/lab/cost.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/machine_domains.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/profile.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The domains of a level by its name, of the nodes that are mapped so: what Hierarchy::parse reads as "numa"
/// or "package/l3". It refers to its arguments.
Hierarchy::Named named_domains(const Machine& machine, const Mapping& mapping);

/// Packages, in them NUMA nodes, in them the PUs of one L3, as far as they part the nodes: a level in which
/// all nodes share a domain, or each has one of its own, or whose domains are those outside, is left out.
/// None of them left: none.
Hierarchy machine_hierarchy(const Machine& machine, const Mapping& mapping);

/// What is known of the costs of messages between PUs of a machine that nobody has measured: by the distances
/// it tells, or else typical ones.
MachineProfile guessed_profile(const Machine& machine);

/// What messages cost between nodes that are apart at 0, 1, ... levels of the hierarchy (Hierarchy::apart),
/// one more than it has levels; node i is on PU pus[i]. Always of the farthest class of such a pair; what no
/// pair is costs as much as what is one level nearer. O(nodes^2 + PUs).
std::vector<CostModel> costs_by_level(const MachineProfile& profile, const Machine& machine,
                                      std::span<const int> pus, const Hierarchy& hierarchy);

/// Demand::near: where those between the farthest nodes cost `costs`, as much less for nearer ones as by the
/// profile. Empty without a hierarchy of these nodes, or if no pair is nearer than another.
std::vector<CostModel> near_costs(const MachineProfile& profile, const Machine& machine,
                                  std::span<const int> pus, const Hierarchy& hierarchy,
                                  const CostModel& costs);

}  // namespace vnode
#pragma GCC visibility pop
