#pragma once

#include <string>
#include <vector>

#include <vnode/model/placement.hpp>
#include <vnode/model/select.hpp>
#include <vnode/topology.hpp>

#include "campaign/results.hpp"

namespace vnode {

/// Describes a collective with the mapping of its nodes and the policy of its banks.
struct PlacedCall {
  Demand demand;        ///< what is done; its algorithm is not read
  Candidate candidate;  ///< by which algorithm
  Topology topology;
  Mapping mapping;  ///< on this machine
  Banks banks = Banks::owner;
};

/// Holds what was measured, and where its memory was.
struct MeasuredPlacement {
  MeasuredTimes times;
  PagesFound pages;
  std::vector<std::string> degraded;
};

/// Times `calls` calls, after some that do not count, with a thread for each node; channels, scratch and
/// messages lie on the banks asked for, as far as the system lets them. Throws SystemError if a node cannot
/// be pinned to its PU, or the environment asks for another placement, and UsageError if the data need more
/// than half of the machine's memory.
MeasuredPlacement measured_placement(const PlacedCall& call, int calls);

}  // namespace vnode
