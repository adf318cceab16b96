#pragma once

#include <string>

#include <vnode/hierarchy.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/select.hpp>

#include "options/costs.hpp"
#include "options/place.hpp"

namespace vnode {

/// Adds --machines.
void add_machines(Command command, PlaceOptions& options);

/// Returns the number of machines asked for, or 1. Throws UsageError if they cannot have equally many of the
/// nodes.
int machines_of(const PlaceOptions& options, int nodes);

/// Returns "32 nodes", or "32 nodes on 4 machines".
std::string nodes_text(int nodes, int machines);

/// Holds a machine, or several that are joined, and the mapping of nodes to it.
struct PlacedNodes {
  Machine machine;
  Mapping mapping;
};
/// Returns `machine`, or as many joined that are like it, and nodes that are mapped compactly, as many on
/// each.
PlacedNodes placed_nodes(int nodes, int machines, Machine machine = Machine::discover());

/// Returns the domains of several machines like this one, if a machine has several nodes, and those that
/// divide its nodes. It is empty for one machine.
Hierarchy hierarchy_of_machines(int nodes, int machines);

/// Gives a demand the domains of the machines, unless it has some, and the costs between near nodes. Returns
/// the costs between the farthest.
CostModel take_machines(Demand& demand, const CostChoice& costs, int machines);

}  // namespace vnode
