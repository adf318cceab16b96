#include "placement/link_graph.hpp"

#include "placement/node_links.hpp"

namespace vnode {

LinkGraph::LinkGraph(const Topology& topology, std::span<const double> weights)
    : first_(static_cast<std::size_t>(topology.nodes()) + 1) {
  for_each_link(topology, weights, [&](Rank a, Rank b, double) {
    ++first_[static_cast<std::size_t>(a) + 1];
    ++first_[static_cast<std::size_t>(b) + 1];
  });
  for (std::size_t rank = 1; rank < first_.size(); ++rank) first_[rank] += first_[rank - 1];
  all_.resize(first_.back());
  std::vector<std::size_t> next = first_;
  for_each_link(topology, weights, [&](Rank a, Rank b, double weight) {
    all_[next[static_cast<std::size_t>(a)]++] = {b, weight};
    all_[next[static_cast<std::size_t>(b)]++] = {a, weight};
  });
}

std::span<const LinkGraph::Neighbour> LinkGraph::neighbours(Rank rank) const {
  const auto at = static_cast<std::size_t>(rank);
  return std::span(all_).subspan(first_[at], first_[at + 1] - first_[at]);
}

double LinkGraph::hops(const PuDistance& distance, const std::vector<int>& pus) const {
  double sum = 0;
  for (Rank rank = 0; rank < nodes(); ++rank)
    for (const auto& [neighbour, weight] : neighbours(rank))
      if (neighbour < rank)
        sum +=
            weight * distance(pus[static_cast<std::size_t>(rank)], pus[static_cast<std::size_t>(neighbour)]);
  return sum;
}

}  // namespace vnode
