#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/machine_domains.hpp>
#include <vnode/model/numa_distances.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the links between different domains of one level.
struct Crossings {
  int domains = 0;  ///< number of domains with nodes
  long links = 0;   ///< links whose ends are in two of them
  std::optional<long>
      least{};  ///< a lower bound for mappings with as many nodes in each domain, where one is known
  friend bool operator==(const Crossings&, const Crossings&) = default;
};

/// Describes the quality of a mapping for a topology's links. The length of a link is the distance of the PUs
/// of its ends (PuDistance). A switch of a tree counts as placed where the leftmost leaf below it runs.
struct MappingMetrics {
  long links = 0;                               ///< the topology's links, both directions counted as one
  double weighted_hops = 0;                     ///< the sum over the links of weight x length
  std::optional<double> least_weighted_hops{};  ///< the least of all permutations, where it is known
  std::array<Crossings, 4> crossings{};         ///< the crossings of each DomainLevel
  double package_link_load = 0;                 ///< the greatest weight of links between two packages
  double dilation = 0;                          ///< the length of the longest link
  friend bool operator==(const MappingMetrics&, const MappingMetrics&) = default;

  /// Returns the links between different domains of that level.
  const Crossings& across(DomainLevel level) const { return crossings[static_cast<std::size_t>(level)]; }
};

/// Returns the metrics of a mapping. `weights` are by link; none means 1 each, and only then is the least of
/// the weighted hops known (up to 4096 PUs in use). `distances` are as PuDistance's. Throws UsageError if the
/// mapping has another number of nodes or a PU that the machine does not have, or if there are not as many
/// weights as links, each finite and 0 or more. O(links + PUs^2).
MappingMetrics mapping_metrics(const Machine& machine, const Topology& topology, const Mapping& mapping,
                               std::span<const double> weights = {},
                               const std::optional<NumaDistances>& distances = {});
/// Returns the weighted hops alone. O(links).
double weighted_hops(const Machine& machine, const Topology& topology, const Mapping& mapping,
                     std::span<const double> weights = {},
                     const std::optional<NumaDistances>& distances = {});

/// Returns the fewest links that are cut if the nodes are divided into sets of these sizes, with the sum p,
/// or a lower bound on that, from the most links among so many nodes. Array, ring and full: exact. Tree: a
/// tree has n - 1 links among n nodes at most. Hypercube: Harper 1964. Mesh: by the projections of a set
/// (Loomis and Whitney 1949). Torus whose extents are equal and 3 or more: Bollobás and Leader 1991; nullopt
/// for other tori. Throws UsageError if the sum is not p, or a size is less than 1.
std::optional<long> least_crossings(const Topology& topology, std::span<const int> sizes);

}  // namespace vnode
#pragma GCC visibility pop
