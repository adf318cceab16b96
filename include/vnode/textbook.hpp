#pragma once

#include <cstddef>
#include <optional>

#include <vnode/collective.hpp>
#include <vnode/cost.hpp>
#include <vnode/formula.hpp>
#include <vnode/lower_bounds.hpp>
#include <vnode/ports.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What the symbols of an algorithm's formulas stand for with these parameters: p, k, q, r, c and its own.
/// m, t_s, t_w and t_op are not among them.
SymbolValues symbol_values(const Algorithm& algorithm, const Parameters& parameters);

/// The textbook's T in seconds, as `time` in the registry says it: startups t_s + words t_w m + combined t_op
/// m with m = `bytes`. All ports of a node work at the same time; t_put is not in it.
double textbook_seconds(const Algorithm& algorithm, const Parameters& parameters, double bytes,
                        const CostModel& costs);

/// What no schedule for the collective is better than, if a node sends through `ports` links at once. Of
/// parameters it takes p, the segments, and the shift.
LowerBound lower_bound(Collective collective, const Parameters& parameters, int ports);
/// The same on a topology, where under Ports::all a node has as many as the one with the most links.
LowerBound lower_bound(Collective collective, const Parameters& parameters, Ports ports,
                       const Topology& topology);
/// How many ports of a node work at the same time on a topology: 1, or the most links of a node.
int ports_at_once(Ports ports, const Topology& topology);

/// The most segments that a message of that size is cut into: none is shorter than a cache line, 64 bytes,
/// and there are as many rounds as the runtime can number. At least 1.
int most_segments(const Algorithm& algorithm, Parameters parameters, std::size_t bytes);

/// The number of segments k with the least textbook_seconds(); 1 where the algorithm has none. A pipeline of
/// a + b k rounds takes (a + b k) (t_s + t_w m / k), least at k* = sqrt(a t_w m / (b t_s)). k is one of the
/// whole numbers around k*, even and odd ones, from 1 to most_segments(). parameters.segments is not read.
int optimum_segments(const Algorithm& algorithm, const Parameters& parameters, std::size_t bytes,
                     const CostModel& costs);

/// The k* of the line above before it is rounded; 0 where the algorithm has no segments.
double optimum_before_rounding(const Algorithm& algorithm, Parameters parameters, double bytes,
                               const CostModel& costs);

/// k* as a formula, in p, m, t_s and so on: sqrt((p - 2) t_w m / t_s). nullopt where the algorithm has no
/// segments, or its time no such form, or a symbol of its own that depends on k.
std::optional<Formula> optimum_formula(const Algorithm& algorithm, const Parameters& parameters);

}  // namespace vnode
#pragma GCC visibility pop
