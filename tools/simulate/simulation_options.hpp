#pragma once

#include <vnode/simulate.hpp>

#include "options/costs.hpp"

namespace vnode {

/// How `nodes` nodes are simulated by these costs: the ports that the algorithm (or none: one port) is made
/// for; and where a profile tells what pairs of nodes cost, and every node has a PU of this machine to
/// itself, each pair's own, mapped compactly.
SimulationOptions simulation_options(const Algorithm* algorithm, int nodes, const CostChoice& choice);

}  // namespace vnode
