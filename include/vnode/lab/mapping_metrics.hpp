#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/machine_domains.hpp>
#include <vnode/lab/numa_distances.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The links between different domains of one level.
struct Crossings {
  int domains = 0;  ///< domains with nodes
  long links = 0;   ///< links whose ends are in two of them
  std::optional<long>
      least{};  ///< no mapping with as many nodes in each domain has fewer, where that is known
  friend bool operator==(const Crossings&, const Crossings&) = default;
};

/// What a mapping makes of a topology's links. The length of a link is the distance of the PUs of its ends
/// (PuDistance). A switch of a tree stands where the leftmost leaf below it runs.
struct MappingMetrics {
  long links = 0;                               ///< of the topology, both directions counted as one
  double weighted_hops = 0;                     ///< sum over the links of weight x length
  std::optional<double> least_weighted_hops{};  ///< no permutation of the ranks has less, where that is known
  std::array<Crossings, 3> crossings{};         ///< by DomainLevel
  double package_link_load = 0;                 ///< the most weight of links between two packages
  double dilation = 0;                          ///< the length of the longest link
  friend bool operator==(const MappingMetrics&, const MappingMetrics&) = default;

  /// The links between different domains of that level.
  const Crossings& across(DomainLevel level) const { return crossings[static_cast<std::size_t>(level)]; }
};

/// `weights`: by link; none: 1 each, and only then there is a least of the weighted hops (up to 4096 PUs in
/// use). UsageError if the mapping is of another number of nodes or has a PU that the machine has not, or if
/// there are not as many weights as links, each finite and 0 or more. `distances`: as PuDistance's.
/// O(links + PUs^2).
MappingMetrics mapping_metrics(const Machine& machine, const Topology& topology, const Mapping& mapping,
                               std::span<const double> weights = {},
                               const std::optional<NumaDistances>& distances = {});
/// The weighted hops alone. O(links).
double weighted_hops(const Machine& machine, const Topology& topology, const Mapping& mapping,
                     std::span<const double> weights = {},
                     const std::optional<NumaDistances>& distances = {});

/// The fewest links that are cut if the nodes are divided into sets of these sizes, in sum p, or a bound
/// below it: by the most links among so many nodes. Array, ring and full: exact. Tree: a tree has n - 1 links
/// among n nodes at most. Hypercube: Harper 1964. Mesh: by the projections of a set (Loomis and Whitney
/// 1949). Torus whose extents are equal and 3 or more: Bollobás and Leader 1991; of other tori nothing is
/// known here. UsageError if the sizes are not p in sum, or one is less than 1.
std::optional<long> least_crossings(const Topology& topology, std::span<const int> sizes);

}  // namespace vnode
#pragma GCC visibility pop
