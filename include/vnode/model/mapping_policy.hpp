#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/machine_domains.hpp>
#include <vnode/model/numa_distances.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

// All policies put nodes on allowed PUs only, loads differing by one at most; and no core gets a second node
// while another has none. UsageError if no PU is allowed.

/// Spreads the nodes over packages, and within them over NUMA nodes, L3s, L2s and cores, in proportion to the
/// PUs of each part, as hwloc_distrib does; consecutive ranks are close together. Throws UsageError if
/// `nodes` < 1.
Mapping scatter_mapping(const Machine& machine, int nodes);
/// Puts consecutive ranks into different domains, in turn; domains that are full are skipped. Throws
/// UsageError if `nodes` < 1.
Mapping round_robin_mapping(const Machine& machine, int nodes, DomainLevel level);
/// Puts node i alone into domain i, on its first core. Throws UsageError if there are more nodes than
/// domains, or `nodes` < 1.
Mapping one_per_domain_mapping(const Machine& machine, int nodes, DomainLevel level);
/// Puts the nodes on the compact mapping's PUs, in the order of a shortest tour of their L3s and NUMA nodes
/// that returns to its beginning (for an array: that need not); or, if that is shorter, over one half of each
/// on the way there and over the other on the way back. Of several tours it takes the one whose longest step
/// is shortest. Exact up to 10 L3s; beyond that, a local optimum or, with thousands of them, the result of a
/// search of bounded length. `distances` are as PuDistance's.
Mapping ring_order_mapping(const Machine& machine, const Topology& topology,
                           const std::optional<NumaDistances>& distances = {});
/// Puts the nodes on the compact mapping's PUs, with a block of the mesh in each package, and within it in
/// each of its NUMA nodes, L3s and so on. Blocks are boxes of the same extents where these divide, or halves,
/// cut where the fewest links are, whichever has fewer weighted hops. Throws UsageError in a tree and a full
/// topology, whose nodes have no coordinates. `distances` are as PuDistance's.
Mapping mesh_blocks_mapping(const Machine& machine, const Topology& topology,
                            const std::optional<NumaDistances>& distances = {});
/// Puts a hypercube's nodes along the machine by Gray code, an equally large sub-cube in each of 2^k NUMA
/// nodes, as few as have enough cores, so that neighbours in the machine hold linked sub-cubes. If no 2^k
/// NUMA nodes do, it takes the compact mapping's PUs. Throws UsageError if the topology is no hypercube.
Mapping subcubes_mapping(const Machine& machine, const Topology& topology);

/// Describes the goal of optimised_mapping, and how long it searches.
struct MappingSearch {
  std::uint64_t seed = 1;  ///< seed of the random choices
  /// The number of searches, each of the same length; without a budget the result is the same every time.
  int searches = 16;
  /// The time to search instead, or as long as the other policies take. The result then depends on the speed
  /// of the machine.
  std::optional<std::chrono::milliseconds> budget = std::nullopt;
  /// The weight of each link's length, finite and 0 or more. Empty: 1 each.
  std::vector<double> weights = {};
  /// Distances between NUMA nodes, a profile's for example. None: numa_distances(machine).
  std::optional<NumaDistances> distances = std::nullopt;
};
/// Returns a mapping with as few weighted hops (mapping_metrics.hpp) as a search finds. It begins with those
/// of all other policies and a greedy one, swaps nodes, moves them to free PUs, and is never worse than the
/// best it began with. It runs in parallel (oneTBB). With more than 2^22 links it returns the best it began
/// with. Throws UsageError if there are not as many weights as links.
Mapping optimised_mapping(const Machine& machine, const Topology& topology, const MappingSearch& search = {});

/// Describes a mapping policy with a name.
struct MappingPolicy {
  std::string_view name;   ///< "round_robin_numa"
  std::string_view about;  ///< a line for people
  /// Maps the topology on the machine; throws what the policy's function throws.
  Mapping (*map)(const Machine& machine, const Topology& topology, const MappingSearch& search);
};
/// Returns all policies, `compact` first and `optimised` last.
std::span<const MappingPolicy> mapping_policies();
/// Returns the mapping that `text` describes: that of the policy of this name, or a list of the system's PU
/// numbers, one for each rank, as taskset writes it: "0,2,8-11". Throws UsageError if there is no such policy
/// or PU or the list does not have a PU for each node, SystemError if the process may not use a PU of the
/// list, and what the policy's function throws.
Mapping mapping_by(const Machine& machine, const Topology& topology, std::string_view text,
                   const MappingSearch& search = {});
/// Throws UsageError if `text` is neither a policy's name nor a list of PUs, so that mapping_by() would
/// refuse it for any machine.
void check_mapping_text(std::string_view text);

}  // namespace vnode
#pragma GCC visibility pop
