#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/machine_domains.hpp>
#include <vnode/lab/numa_distances.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

// All policies put nodes on allowed PUs only, loads differing by one at most; and no core gets a second node
// while another has none. UsageError if no PU is allowed.

/// The nodes spread over packages, and in these over their NUMA nodes, L3s, L2s and cores, to each part in
/// proportion to its PUs, as hwloc_distrib does; consecutive ranks close together. UsageError if `nodes` < 1.
Mapping scatter_mapping(const Machine& machine, int nodes);
/// Consecutive ranks in different domains, in turn; domains that are full are left out. UsageError if
/// `nodes` < 1.
Mapping round_robin_mapping(const Machine& machine, int nodes, DomainLevel level);
/// Node i alone in the domain i, on its first core. UsageError if there are more nodes than domains, or
/// `nodes` < 1.
Mapping one_per_domain_mapping(const Machine& machine, int nodes, DomainLevel level);
/// The compact mapping's PUs, in the order of a shortest tour of their L3s and NUMA nodes that returns to
/// where it began (of an array: that does not); or there and back over a half of each, if that is shorter.
/// Of several the one whose longest step is shortest. Exact up to 10 L3s, beyond it a local optimum or, with
/// thousands of them, what a search of bounded length finds. `distances`: as PuDistance's.
Mapping ring_order_mapping(const Machine& machine, const Topology& topology,
                           const std::optional<NumaDistances>& distances = {});
/// The compact mapping's PUs, with a block of the nodes in each package, and in this in each of its NUMA
/// nodes, L3s and so on: boxes of the same extents where these divide, or halves, cut where the fewest links
/// are, whichever has less weighted hops. UsageError if nodes have no coordinates: in a tree and a full
/// topology. `distances`: as PuDistance's.
Mapping mesh_blocks_mapping(const Machine& machine, const Topology& topology,
                            const std::optional<NumaDistances>& distances = {});
/// A hypercube's nodes by Gray code along the machine, the same number, a sub-cube, in each of 2^k NUMA
/// nodes, as few as have cores for them; neighbours in the machine hold linked sub-cubes. If no 2^k have, the
/// compact mapping's PUs. UsageError if the topology is no hypercube.
Mapping subcubes_mapping(const Machine& machine, const Topology& topology);

/// What a good mapping is, and how long to look for a better one.
struct MappingSearch {
  std::uint64_t seed = 1;  ///< of the random choices
  /// How many searches, each of the same length; without a budget the result is the same every time.
  int searches = 16;
  /// Instead: so much time, or as long as the other policies take. The result then depends on how fast the
  /// machine is.
  std::optional<std::chrono::milliseconds> budget = std::nullopt;
  /// By link: what its length counts, finite and 0 or more. Empty: 1 each.
  std::vector<double> weights = {};
  /// Between NUMA nodes, a profile's for example. None: numa_distances(machine).
  std::optional<NumaDistances> distances = std::nullopt;
};
/// A mapping whose weighted hops (mapping_metrics.hpp) are as few as a search finds: it begins with those of
/// all other policies and a greedy one, swaps nodes and moves them to free PUs, and is never worse than the
/// best it began with. In parallel (oneTBB). More than 2^22 links: the best it begins with. UsageError if
/// there are not as many weights as links.
Mapping optimised_mapping(const Machine& machine, const Topology& topology, const MappingSearch& search = {});

/// A policy by name.
struct MappingPolicy {
  std::string_view name;   ///< "round_robin_numa"
  std::string_view about;  ///< a line for people
  /// Errors as its function's.
  Mapping (*map)(const Machine& machine, const Topology& topology, const MappingSearch& search);
};
/// All of them, `compact` first and `optimised` last.
std::span<const MappingPolicy> mapping_policies();
/// The mapping that `text` asks for: by the policy of that name, or by the systems' numbers of a PU for each
/// rank, as taskset writes them: "0,2,8-11". UsageError if there is no such policy or PU, if the list is not
/// of as many PUs as nodes, or as the policy's; SystemError if the process may not use a PU of the list.
Mapping mapping_by(const Machine& machine, const Topology& topology, std::string_view text,
                   const MappingSearch& search = {});
/// UsageError if `text` is neither a policy's name nor a list of PUs: mapping_by() would refuse it for any
/// machine.
void check_mapping_text(std::string_view text);

}  // namespace vnode
#pragma GCC visibility pop
