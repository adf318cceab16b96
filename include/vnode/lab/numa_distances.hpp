#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <vnode/lab/machine.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// How distances between NUMA nodes are known.
enum class DistanceSource {
  reported,  ///< by the system, for all
  partly,    ///< by the system for some, by levels for the others
  measured,  ///< latencies of a profile
  hops       ///< by the levels of the machine alone
};
/// "reported by the system", "reported by the system in part, the others by levels", "measured", "by levels".
std::string_view name(DistanceSource source);

/// Relative latencies between NUMA nodes, whatever the system tells.
struct NumaDistances {
  DistanceSource source = DistanceSource::hops;  ///< how they are known
  std::vector<std::vector<std::uint64_t>>
      values;  ///< [from][to] by index into Machine::numas; about 10 is near
  friend bool operator==(const NumaDistances&, const NumaDistances&) = default;
};

/// What the system reports, Machine::distances, if it reports that for all. For pairs that it says nothing
/// about, or 0, by levels; and what it says of others in the same unit: scaled so that the least of it is
/// what it is by levels. By levels: 10 from a NUMA node to itself; 11 to one that is near the same PUs; in
/// the same package 12, and 1 more, up to 19, for each further part (die, group, NUMA node) that holds both
/// of some nested ones; to another package 20, and 10 more for each further group of packages. Values are
/// never 0. O(NUMA nodes^2 + parts x NUMA nodes).
NumaDistances numa_distances(const Machine& machine);

/// The banks there are, as indices into Machine::numas: NUMA nodes with memory that the process may use.
/// Where no node's size is known all have memory.
std::vector<int> banks_of(const Machine& machine);

/// The bank for what belongs near NUMA node `numa`: itself if it is one (banks_of), or else the one with the
/// least distance; the first of several. Nothing if there is none. UsageError if there is no such NUMA node.
std::optional<int> nearest_bank(const Machine& machine, const NumaDistances& distances, int numa);

}  // namespace vnode
#pragma GCC visibility pop
