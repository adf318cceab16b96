#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <vnode/model/machine.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Names the source of distances between NUMA nodes.
enum class DistanceSource {
  reported,  ///< reported by the system, for all pairs
  partly,    ///< reported by the system for some pairs, by levels for the others
  measured,  ///< measured: latencies of a profile
  hops       ///< by the levels of the machine alone
};
namespace enums {
/// Returns "reported by the system", "reported by the system in part, the others by levels", "measured" or
/// "by levels".
std::string_view name(DistanceSource source);
}

/// Describes relative latencies between NUMA nodes, on every machine.
struct NumaDistances {
  DistanceSource source = DistanceSource::hops;  ///< by the levels of the machine alone
  std::vector<std::vector<std::uint64_t>>
      values;  ///< [from][to] by index into Machine::numas; about 10 is near
  friend bool operator==(const NumaDistances&, const NumaDistances&) = default;
};

/// Returns what the system reports, Machine::distances, if it reports all. Pairs that it does not report, or
/// as 0, are estimated by levels, and what it reports of others is scaled so that its least value is that by
/// levels. By levels: 10 from a NUMA node to itself; 11 to one that is near the same PUs; in the same package
/// 12, and 1 more, up to 19, for each further nested part (die, group, NUMA node) up to the one that holds
/// both; to another package 20, and 10 more for each further group of packages. Values are never 0. O(NUMA
/// nodes^2 + parts x NUMA nodes).
NumaDistances numa_distances(const Machine& machine);

/// Returns the NUMA nodes with memory that the process may use, as indices into Machine::numas. Where no
/// node's size is known, all count as having memory.
std::vector<int> banks_of(const Machine& machine);

/// Returns the NUMA node for memory that belongs near NUMA node `numa`: `numa` itself if it is among
/// banks_of(), or else the one among them with the least distance, the first of several. nullopt if there is
/// none. Throws UsageError if there is no NUMA node `numa`.
std::optional<int> nearest_bank(const Machine& machine, const NumaDistances& distances, int numa);

}  // namespace vnode
#pragma GCC visibility pop
