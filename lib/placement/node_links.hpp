#pragma once

#include <iterator>
#include <map>
#include <span>
#include <vector>

#include <vnode/model/placement.hpp>
#include <vnode/topology.hpp>

#include "base/at.hpp"

namespace vnode {

/// Returns the node at whose place a vertex is: itself, or the leftmost leaf below a switch.
inline Rank place_of(const Topology& topology, int vertex) {
  if (vertex < topology.nodes()) return vertex;
  // Switches are numbered p .. 2p-2 as a heap is from 1; the leaves would follow.
  int heap = vertex - topology.nodes() + 1;
  while (heap < topology.nodes()) heap *= 2;
  return heap - topology.nodes();
}

/// Calls visit(a, b, weight) for the nodes at whose places the ends of each link are; not for a link of a
/// tree between two places that are one.
template <class Visit>
void for_each_link(const Topology& topology, std::span<const double> weights, Visit&& visit) {
  for (int link = 0; link < topology.links(); ++link) {
    const DirectedLink ends = topology.ends(2 * link);
    const Rank a = place_of(topology, ends.from), b = place_of(topology, ends.to);
    if (a != b) visit(a, b, weights.empty() ? 1.0 : at(weights, link));
  }
}

/// Calls visit(pu, other, weight, links) for the PUs of the ends of links: one by one or, where all nodes are
/// linked alike, all links between two PUs at once.
template <class Visit>
void for_each_length(const Topology& topology, const std::vector<int>& pus, std::span<const double> weights,
                     Visit&& visit) {
  if (topology.family() != Family::full || !weights.empty()) {
    for_each_link(topology, weights,
                  [&](Rank a, Rank b, double weight) { visit(at(pus, a), at(pus, b), weight, 1L); });
    return;
  }
  std::map<int, long> loads;
  for (const int pu : pus) ++loads[pu];
  for (auto one = loads.begin(); one != loads.end(); ++one)
    for (auto other = std::next(one); other != loads.end(); ++other) {
      const long links = one->second * other->second;
      visit(one->first, other->first, static_cast<double>(links), links);
    }
}

/// Throw UsageError unless the mapping is of the topology's nodes, on PUs that the machine has, and there are
/// no weights or as many as links, each finite and 0 or more.
void check_mapping(const Machine& machine, const Topology& topology, const Mapping& mapping);
void check_weights(const Topology& topology, std::span<const double> weights);

}  // namespace vnode
