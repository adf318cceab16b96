#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <vnode/lab/pu_distance.hpp>
#include <vnode/topology.hpp>

namespace vnode {

/// The links of a topology, by node.
class LinkGraph {
 public:
  /// The other end of a link.
  struct Neighbour {
    Rank rank;
    double weight;
  };
  /// A weight for each link, or none: 1 each.
  LinkGraph(const Topology& topology, std::span<const double> weights);

  int nodes() const { return static_cast<int>(first_.size()) - 1; }
  /// The nodes that `rank` is linked to; a switch of a tree stands where its leftmost leaf is.
  std::span<const Neighbour> neighbours(Rank rank) const;
  /// The ends of all links.
  std::size_t ends() const { return all_.size(); }
  /// The weighted hops where node i is on PU pus[i].
  double hops(const PuDistance& distance, const std::vector<int>& pus) const;

 private:
  std::vector<std::size_t> first_;  ///< by rank; one more
  std::vector<Neighbour> all_;
};

}  // namespace vnode
