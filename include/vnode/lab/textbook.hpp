#pragma once

#include <optional>
#include <span>
#include <vector>

#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/formula.hpp>
#include <vnode/lab/lower_bounds.hpp>
#include <vnode/lab/ports.hpp>
#include <vnode/lab/segments.hpp>
#include <vnode/lab/select.hpp>
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

/// A message size at which another algorithm becomes the cheapest.
struct Crossover {
  double bytes = 0;                  ///< m*
  const Algorithm* below = nullptr;  ///< the cheapest of shorter messages
  const Algorithm* above = nullptr;  ///< and of longer ones
};

/// Message sizes in bytes, both ends included; 0 < least < most.
struct SizeRange {
  double least = 1;       ///< the shortest message
  double most = 1 << 30;  ///< the longest
};

/// Where the cheapest of `algorithms` changes as the message grows, by textbook_seconds(); pipelines with the
/// best number of segments at every size. Exact where both are linear in m, otherwise by bisection to nine
/// digits. Equals stay with the earlier one. parameters.segments is not read.
std::vector<Crossover> crossovers(std::span<const Algorithm* const> algorithms, const Parameters& parameters,
                                  const CostModel& costs, const SizeRange& sizes = {});

/// The same among the candidates for a demand on a topology; demand.bytes is not read.
std::vector<Crossover> crossovers(Demand demand, const Topology& topology, const CostModel& costs,
                                  const SizeRange& sizes = {});

}  // namespace vnode
#pragma GCC visibility pop
