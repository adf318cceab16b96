#pragma once

#include <optional>
#include <span>
#include <vector>

#include <vnode/lab/formula.hpp>
#include <vnode/lab/lower_bounds.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/ports.hpp>
#include <vnode/model/segments.hpp>
#include <vnode/model/select.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns the values of the symbols in an algorithm's formulas for these parameters: p, k, q, r, c and the
/// algorithm's own, but not m, t_s, t_w and t_op.
SymbolValues symbol_values(const Algorithm& algorithm, const Parameters& parameters);

/// Returns the lower bound for schedules of the collective, if a node sends through `ports` links at once. Of
/// the parameters it reads p, the segments, and the shift.
LowerBound lower_bound(Collective collective, const Parameters& parameters, int ports);
/// Returns the lower bound on a topology, where under Ports::all every node counts as having the most links
/// of any.
LowerBound lower_bound(Collective collective, const Parameters& parameters, Ports ports,
                       const Topology& topology);
/// Returns how many ports of a node work at the same time on a topology: 1 or, under Ports::all, the most
/// links of a node.
int ports_at_once(Ports ports, const Topology& topology);

/// Returns k*, the best number of segments, as a formula in p, m, t_s and so on: sqrt((p - 2) t_w m / t_s).
/// nullopt if the algorithm's row states none, or a symbol of its own depends on k.
std::optional<Formula> optimum_formula(const Algorithm& algorithm, const Parameters& parameters);

/// Describes a message size at which another algorithm becomes the cheapest.
struct Crossover {
  double bytes = 0;                  ///< m*
  const Algorithm* below = nullptr;  ///< the cheapest algorithm for shorter messages
  const Algorithm* above = nullptr;  ///< the cheapest algorithm for longer ones
};

/// Describes a range of message sizes in bytes, both ends included; 0 < least < most.
struct SizeRange {
  double least = 1;       ///< the shortest message
  double most = 1 << 30;  ///< the longest
};

/// Returns the message sizes at which the cheapest of `algorithms` by textbook_seconds() changes; pipelines
/// have the best number of segments at every size. Exact where both are linear in m, otherwise by bisection
/// to nine digits. Among equals the earlier one counts as the cheapest. parameters.segments is not read.
std::vector<Crossover> crossovers(std::span<const Algorithm* const> algorithms, const Parameters& parameters,
                                  const CostModel& costs, const SizeRange& sizes = {});

/// Returns the crossovers of the candidates for a demand on a topology; demand.bytes is not read.
std::vector<Crossover> crossovers(Demand demand, const Topology& topology, const CostModel& costs,
                                  const SizeRange& sizes = {});

}  // namespace vnode
#pragma GCC visibility pop
