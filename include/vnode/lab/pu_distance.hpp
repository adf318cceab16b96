#pragma once

#include <optional>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/numa_distances.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// How far the PUs of a machine are from each other, in the unit of the systems' NUMA distances: 10 inside a
/// NUMA node. Symmetrical, and a multiple of 1/16, so that sums of many are exact.
///
/// Between NUMA nodes: NumaDistances, what the system reports, a profile has measured or follows from levels,
/// the mean of both directions, scaled so that the least of all is 10. Inside a NUMA node: by the innermost
/// part that has both PUs.
///
///     the same PU 0, core 1, L2 2, L3 3, NUMA node 10; another package that is near the same one 20
class PuDistance {
 public:
  /// `known`: between NUMA nodes; none: numa_distances(machine). UsageError if it is not between the
  /// machine's, or has a 0. O(PUs + the PUs of all caches + NUMA nodes^2).
  explicit PuDistance(const Machine& machine, const std::optional<NumaDistances>& known = {});

  /// Between two PUs, indices into Machine::pus. O(1).
  double operator()(int a, int b) const;
  /// How distances between NUMA nodes are known.
  DistanceSource source() const { return source_; }

 private:
  struct Place {
    int core, l2, l3, numa, package;
  };
  DistanceSource source_;
  std::vector<Place> places_;               ///< by PU; -1 for a part that it has not
  std::vector<std::vector<double>> numas_;  ///< between NUMA nodes
};

}  // namespace vnode
#pragma GCC visibility pop
