#include "simulate/links.hpp"

namespace vnode {

std::span<const int> Links::way(Rank from, Rank to) {
  way_.clear();
  interconnect_.topology.append_route(from, to, interconnect_.routing, way_);
  for (int& link : way_) {
    const int directed_link = interconnect_.duplex == Duplex::half ? link & ~1 : link;
    const auto [number, unseen] = numbers_.try_emplace(directed_link, static_cast<int>(size()));
    if (unseen) directed_links_.push_back(directed_link);
    link = number->second;
  }
  return way_;
}

}  // namespace vnode
