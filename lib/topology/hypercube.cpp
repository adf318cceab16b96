#include "topology/hypercube.hpp"

#include <bit>
#include <fmt/format.h>

#include "topology/bits.hpp"

namespace vnode {

std::string Hypercube::port_name(int, int index) const { return fmt::format("dimension {}", index); }

// Links are numbered by dimension, then by the rank without the dimension's bit.
int Hypercube::directed_link(int node, int dimension) const {
  const int low = node & ((1 << dimension) - 1);
  const int high = node >> (dimension + 1) << dimension;
  return 2 * (dimension * vertices() / 2 + high + low) + (node >> dimension & 1);
}

DirectedLink Hypercube::ends(int directed_link) const {
  const int per_dimension = vertices() / 2;
  const int dimension = directed_link / 2 / per_dimension;
  const int squeezed = directed_link / 2 % per_dimension;
  const int low = squeezed & ((1 << dimension) - 1);
  const int from = (squeezed - low) * 2 + low + ((directed_link & 1) << dimension);
  return {from, from ^ 1 << dimension};
}

int Hypercube::port_of(int directed_link) const { return directed_link / vertices(); }

int Hypercube::distance(Rank a, Rank b) const { return std::popcount(static_cast<unsigned>(a ^ b)); }

void Hypercube::append_route(Rank from, Rank to, Routing routing, std::vector<int>& links) const {
  int node = from;
  while (node != to) {
    const int wrong = node ^ to;
    const int dimension = routing == Routing::ecube ? bit_width(wrong & -wrong) - 1 : bit_width(wrong) - 1;
    links.push_back(directed_link(node, dimension));
    node ^= 1 << dimension;
  }
}

}  // namespace vnode
