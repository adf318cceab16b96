#pragma once

#include <vector>

#include <vnode/machine.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// How far the PUs of a machine are from each other, in the unit of the systems' NUMA distances: 10 inside a
/// NUMA node. Symmetrical, and a multiple of 1/16, so that sums of many are exact.
///
/// Between NUMA nodes: Machine::distances, the mean of both directions, scaled so that the least of all is
/// 10. Where the machine has none, or has zeros between two nodes, and inside a NUMA node: by the innermost
/// part that has both PUs.
///
///     the same PU 0, core 1, L2 2, L3 3, NUMA node 10, package 15, machine 20
class PuDistance {
 public:
  /// O(PUs + the PUs of all caches + NUMA nodes^2).
  explicit PuDistance(const Machine& machine);

  /// Between two PUs, indices into Machine::pus. O(1).
  double operator()(int a, int b) const;
  /// Whether distances between NUMA nodes are the machine's, or else hop-derived.
  bool from_matrix() const { return !numas_.empty(); }

 private:
  struct Place {
    int core, l2, l3, numa, package;
  };
  std::vector<Place> places_;               ///< by PU; -1 for a part that it has not
  std::vector<std::vector<double>> numas_;  ///< empty, or between NUMA nodes
};

}  // namespace vnode
#pragma GCC visibility pop
