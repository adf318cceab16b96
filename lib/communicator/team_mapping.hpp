#pragma once

#include <string>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/team.hpp>
#include <vnode/topology.hpp>

namespace vnode {

/// The number of nodes, if a team can have so many; UsageError otherwise. A greater topology is for
/// simulation.
int checked_size(int nodes);

/// Where a team's nodes run, by TeamOptions::pus or TeamOptions::mapping. Errors as told there, and
/// SystemError if the machine's memory is too small for so many nodes.
Mapping mapping_for(const Machine& machine, const Topology& topology, const TeamOptions& options);

/// Whether the team may run on other PUs, by the same policy: not if its PUs have been named.
bool may_move(const TeamOptions& options);

/// For people: the mapping's name or list, "given" for PUs.
std::string mapping_text(const Machine& machine, int nodes, const TeamOptions& options);

}  // namespace vnode
