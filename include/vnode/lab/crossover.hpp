#pragma once

#include <span>
#include <vector>

#include <vnode/lab/select.hpp>

#pragma GCC visibility push(default)
namespace vnode {

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
