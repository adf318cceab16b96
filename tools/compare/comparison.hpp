#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/select.hpp>

#include "options/costs.hpp"

namespace vnode {

/// What is compared: one collective on one topology, for some sizes, under some costs.
struct Contest {
  Demand demand{};                       ///< its bytes are those of each size in turn
  Topology topology;                     ///< whose congestion excludes algorithms from being the best
  std::vector<std::size_t> sizes{};      ///< m, ascending
  std::vector<const Algorithm*> only{};  ///< these algorithms; empty: all of the collective
  CostChoice costs{};                    ///< what predictions start from
};

/// What has more transfers is not simulated: all sizes of one algorithm would take minutes.
inline constexpr int most_simulated_transfers = 1 << 20;

/// An algorithm for a size.
struct Entry {
  std::size_t bytes = 0;                 ///< m
  const Algorithm* algorithm = nullptr;  ///< of the register
  int segments = 1;                      ///< the number with the least estimate
  Hierarchy hierarchy{};                 ///< of hierarchical ones, in the form with the least estimate
  bool carried = true;                   ///< promises load 1 on the topology, or no other does either
  bool best = false;                     ///< the least by estimate of those that are carried, and compared
  /// Seconds, one for each of Comparison::kinds; none where nothing was simulated.
  std::vector<std::optional<double>> predicted{};
  std::optional<double> measured{};  ///< seconds, where it was measured
  bool late = false;                 ///< of rounds that began late, for lack of others
};

/// How the rounds of a measurement began.
struct Beginnings {
  bool together = false;  ///< at one moment of the clock; otherwise there were more nodes than cores
  std::size_t rounds = 0, late = 0;  ///< all rounds, and those that some node began late
};

/// All that can run, size by size, in the order of the register.
struct Comparison {
  /// Of predictions. "estimate": what the choice of an algorithm goes by (Candidate::seconds); "formula": the
  /// textbook's T; "simulated": message by message, with the congestion of the topology.
  std::vector<std::string> kinds{};
  std::vector<Entry> entries{};
  std::optional<Beginnings> beginnings{};  ///< where it was measured
};

/// Predicts every algorithm of the collective that is asked for and can run, for every size. UsageError if
/// there is none, or if they have too many transfers to be looked at in time.
Comparison compared(const Contest& contest);

}  // namespace vnode
