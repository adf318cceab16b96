#include "topology/tree.hpp"

#include "topology/bits.hpp"

namespace vnode {
namespace {

// A switch's ports, in order; a leaf has the last one only.
enum SwitchPort { left, right, above };

}  // namespace

int Tree::height(int place) const { return levels_ + 1 - bit_width(place); }

int Tree::degree(int vertex) const {
  const int children = is_leaf(vertex) ? 0 : 2;
  return place(vertex) == 1 ? children : children + 1;
}

Port Tree::port(int vertex, int index) const {
  const int level = height(place(vertex));
  return is_leaf(vertex) || index == above ? Port{level, +1} : Port{level - 1, -1};
}

std::string Tree::port_name(int vertex, int index) const {
  return is_leaf(vertex) || index == above ? "up" : index == left ? "left" : "right";
}

int Tree::directed_link(int vertex, int index) const {
  return is_leaf(vertex) || index == above ? up(place(vertex)) : down(2 * place(vertex) + index);
}

DirectedLink Tree::ends(int directed_link) const {
  const int place = directed_link / 2 + 2;
  const DirectedLink climb{vertex(place), vertex(place / 2)};
  return directed_link == up(place) ? climb : DirectedLink{climb.to, climb.from};
}

int Tree::port_of(int directed_link) const {
  const int place = directed_link / 2 + 2;  // the lower end's
  if (directed_link != up(place)) return place % 2;
  return is_leaf(vertex(place)) ? 0 : above;
}

int Tree::distance(Rank a, Rank b) const { return 2 * bit_width(a ^ b); }

void Tree::append_route(Rank from, Rank to, Routing, std::vector<int>& links) const {
  const int levels = distance(from, to) / 2;
  for (int level = 0; level < levels; ++level) links.push_back(up(place(from) >> level));
  for (int level = levels - 1; level >= 0; --level) links.push_back(down(place(to) >> level));
}

}  // namespace vnode
