#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <vnode/model/pu_distance.hpp>
#include <vnode/topology.hpp>

#include "placement/slots.hpp"

namespace vnode {

/// Holds the links of a topology, by node.
class LinkGraph {
 public:
  /// Names the other end of a link.
  struct Neighbour {
    Rank rank;
    double weight;
  };
  /// Takes a weight for each link, or none: 1 each.
  LinkGraph(const Topology& topology, std::span<const double> weights);

  int nodes() const { return static_cast<int>(first_.size()) - 1; }
  /// Returns the nodes that `rank` is linked to; a switch of a tree stands where its leftmost leaf is.
  std::span<const Neighbour> neighbours(Rank rank) const;
  /// Returns the number of ends of all links.
  std::size_t ends() const { return all_.size(); }
  /// Returns the weighted hops where node i is on PU pus[i].
  double hops(const PuDistance& distance, const std::vector<int>& pus) const;

 private:
  std::vector<std::size_t> first_;  ///< by rank; one more
  std::vector<Neighbour> all_;
};

/// Holds what does not change while mappings are searched.
struct SearchSpace {
  SearchSpace(const Machine& machine, const Topology& topology, std::span<const double> weights,
              const std::optional<NumaDistances>& distances);

  PuDistance distance;
  LinkGraph graph;
  Slots slots;
  bool complete;                ///< all nodes are linked with weight 1: it only counts which PUs are used
  std::vector<int> l3s, numas;  ///< by PU, the domain
};

/// Says when to stop, if before the end.
using Deadline = std::optional<std::chrono::steady_clock::time_point>;
bool late(const Deadline& deadline);

/// Returns a mapping found from `pus` by exchanges, each of which shortens links or, if it anneals, at first
/// may make them longer. Without annealing it never has more hops.
std::vector<int> searched(const SearchSpace& space, const std::vector<int>& pus, bool anneal,
                          std::uint64_t seed, const Deadline& deadline);
/// Places node by node: the one with the most weight to those that are placed, on the PU where its links to
/// them are shortest. Returns nothing if it would take many seconds, or is late. O(nodes^2 + slots x links).
std::optional<std::vector<int>> greedy(const SearchSpace& space, const Deadline& deadline);

}  // namespace vnode
