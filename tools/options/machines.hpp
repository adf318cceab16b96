#pragma once

#include <string>

#include <vnode/hierarchy.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/select.hpp>

#include "options/costs.hpp"
#include "options/place.hpp"

namespace vnode {

/// Adds --machines.
void add_machines(Command command, PlaceOptions& options);

/// The number of machines asked for, or 1. UsageError if so many nodes cannot be shared out among them, as
/// many to each.
int machines_of(const PlaceOptions& options, int nodes);

/// "32 nodes", "32 nodes on 4 machines".
std::string nodes_text(int nodes, int machines);

/// Nodes on a machine, or on several that are joined.
struct PlacedNodes {
  Machine machine;
  Mapping mapping;
};
/// A machine, or as many joined that are like it, and nodes that are mapped compactly, as many on each.
PlacedNodes placed_nodes(int nodes, int machines, Machine machine = Machine::discover());

/// The domains of several machines like this one, if a machine has several nodes, and those that divide its
/// nodes; none of one machine.
Hierarchy hierarchy_of_machines(int nodes, int machines);

/// Gives a demand the domains of the machines, unless it has some, and the costs between near nodes. Returns
/// the costs between the farthest.
CostModel take_machines(Demand& demand, const CostChoice& costs, int machines);

}  // namespace vnode
