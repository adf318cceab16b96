#pragma once

#include <optional>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/numa_distances.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the distances between the PUs of a machine, in the unit of the systems' NUMA distances: 10
/// inside a NUMA node. They are symmetrical, and multiples of 1/16, so that sums of many are exact.
///
/// Between NUMA nodes they are NumaDistances, which the system reports, a profile has measured or levels
/// determine: the mean of both directions, scaled so that the least of all is 10. Inside a NUMA node the
/// innermost part that has both PUs determines them.
///
///     the same PU 0, core 1, L2 2, L3 3, NUMA node 10; another package that is near the same one 20
class PuDistance {
 public:
  /// Takes the distances between NUMA nodes, by default numa_distances(machine). Throws UsageError if they
  /// are not of the machine's NUMA nodes, or one is 0. O(PUs + the PUs of all caches + NUMA nodes^2).
  explicit PuDistance(const Machine& machine, const std::optional<NumaDistances>& known = {});

  /// Returns the distance of two PUs, indices into Machine::pus. O(1).
  double operator()(int a, int b) const;
  /// Returns the source of the distances between NUMA nodes.
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
