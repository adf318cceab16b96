#pragma once

#include <cstddef>

#include <vnode/cost_model.hpp>
#include <vnode/model/algorithms.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns the textbook's T in seconds, as `time` in the registry has it: startups t_s + words t_w m +
/// combined t_op m with m = `bytes`. All ports of a node work at the same time; t_put is not in it.
double textbook_seconds(const Algorithm& algorithm, const Parameters& parameters, double bytes,
                        const CostModel& costs);

/// Returns the most segments that a message of that size is cut into: none is shorter than a cache line, 64
/// bytes, and the rounds are at most as many as the runtime can number. At least 1.
int most_segments(const Algorithm& algorithm, Parameters parameters, std::size_t bytes);

/// Returns the number of segments k with the least textbook_seconds(); 1 if the algorithm has none. A
/// pipeline of a + b k rounds takes (a + b k) (t_s + t_w m / k), least at k* = sqrt(a t_w m / (b t_s)). k is
/// one of the whole numbers around k*, from 1 to most_segments(). parameters.segments is not read.
int optimum_segments(const Algorithm& algorithm, const Parameters& parameters, std::size_t bytes,
                     const CostModel& costs);

/// Returns the k* of optimum_segments() before it is rounded; 0 if the algorithm has no segments.
double optimum_before_rounding(const Algorithm& algorithm, Parameters parameters, double bytes,
                               const CostModel& costs);

}  // namespace vnode
#pragma GCC visibility pop
