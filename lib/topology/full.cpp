#include "topology/full.hpp"

#include <cmath>
#include <fmt/format.h>

namespace vnode {

std::string Full::port_name(int node, int index) const { return fmt::format("to {}", peer(node, index)); }

DirectedLink Full::ends(int directed_link) const {
  const int link = directed_link / 2;
  // high is the greatest with high (high - 1) / 2 <= link; doubles are exact here.
  const int high = static_cast<int>((1 + std::sqrt(1 + 8.0 * link)) / 2);
  const int low = link - high * (high - 1) / 2;
  return directed_link % 2 == 0 ? DirectedLink{low, high} : DirectedLink{high, low};
}

int Full::port_of(int directed_link) const {
  const auto [from, to] = ends(directed_link);
  return to < from ? to : to - 1;
}

void Full::append_route(Rank from, Rank to, Routing, std::vector<int>& links) const {
  if (from != to) links.push_back(between(from, to));
}

}  // namespace vnode
