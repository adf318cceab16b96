#pragma once

#include <vector>

#include <vnode/lab/simulate.hpp>

#include "options/costs.hpp"

namespace vnode {

/// How `nodes` nodes with such ports are simulated by these costs; where a profile tells what pairs of nodes
/// cost, and every node has a PU of the machine (none: this one) to itself, by each pair's own, mapped
/// compactly.
SimulationOptions simulation_options(Ports ports, int nodes, const CostChoice& choice,
                                     const Machine* on = nullptr);
/// The same with node i on PU pus[i] of a machine; several may share one.
SimulationOptions simulation_options(Ports ports, const CostChoice& choice, const Machine& machine,
                                     const std::vector<int>& pus);

}  // namespace vnode
