#pragma once

#include <optional>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/formula.hpp>
#include <vnode/lab/lower_bounds.hpp>
#include <vnode/lab/ports.hpp>
#include <vnode/lab/segments.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What the symbols of an algorithm's formulas stand for with these parameters: p, k, q, r, c and its own.
/// m, t_s, t_w and t_op are not among them.
SymbolValues symbol_values(const Algorithm& algorithm, const Parameters& parameters);

/// What no schedule for the collective is better than, if a node sends through `ports` links at once. Of
/// parameters it takes p, the segments, and the shift.
LowerBound lower_bound(Collective collective, const Parameters& parameters, int ports);
/// The same on a topology, where under Ports::all a node has as many as the one with the most links.
LowerBound lower_bound(Collective collective, const Parameters& parameters, Ports ports,
                       const Topology& topology);
/// How many ports of a node work at the same time on a topology: 1, or the most links of a node.
int ports_at_once(Ports ports, const Topology& topology);

/// k* as a formula, in p, m, t_s and so on: sqrt((p - 2) t_w m / t_s). nullopt where the algorithm has no
/// segments, or its time no such form, or a symbol of its own that depends on k.
std::optional<Formula> optimum_formula(const Algorithm& algorithm, const Parameters& parameters);

}  // namespace vnode
#pragma GCC visibility pop
