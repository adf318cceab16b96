#include "building_blocks/two_colouring.hpp"

#include <algorithm>
#include <utility>

#include "base/at.hpp"

namespace vnode {

namespace {

constexpr int none = -1;

struct Edge {
  int tree;
  Rank child;
  bool operator==(const Edge&) const = default;
};
constexpr Edge no_edge{-1, nobody};

class Painter {
 public:
  Painter(const std::array<Parents, 2>& parents, Colours colours)
      : parents_(parents), colours_(std::move(colours)), below_(parents[0].size(), {no_edge, no_edge}) {
    for (const int tree : {0, 1})
      for (Rank child = 0; child < nodes(); ++child)
        if (parent({tree, child}) != nobody) {
          std::array<Edge, 2>& edges = at(below_, parent({tree, child}));
          edges[edges[0] != no_edge] = {tree, child};
        }
  }

  // Finds from the root down when the first segment arrives.
  std::vector<int> delays(int tree) {
    std::vector<int> list(parents_[0].size(), -1);
    const auto root = std::ranges::find(at(parents_, tree), nobody) - at(parents_, tree).begin();
    std::vector<Rank> reached{static_cast<Rank>(root)};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Edge& edge : at(below_, reached[i])) {
        if (edge.tree != tree) continue;
        const int next = at(list, reached[i]) + 1;
        paint(edge, next % 2);
        at(list, edge.child) = next + (next % 2 != colour(edge));
        reached.push_back(edge.child);
      }
    return list;
  }

  // Returns 2 if some port has two edges, otherwise 1.
  int period() const {
    for (Rank rank = 0; rank < nodes(); ++rank)
      if (at(below_, rank)[1] != no_edge || (parent({0, rank}) != nobody && parent({1, rank}) != nobody))
        return 2;
    return 1;
  }

 private:
  // The other edge at either port gets the other colour, and so on along the path or cycle of such edges.
  // Every round trip changes sender and receiver in turn: cycles are even.
  void paint(const Edge& first, int first_colour) {
    if (colour(first) != none) return;
    std::vector<std::pair<Edge, int>> open{{first, first_colour}};
    while (!open.empty()) {
      const auto [edge, painted] = open.back();
      open.pop_back();
      if (colour(edge) != none) continue;
      at(at(colours_, edge.tree), edge.child) = painted;
      const Edge other{1 - edge.tree, edge.child};
      if (parent(other) != nobody) open.push_back({other, 1 - painted});
      for (const Edge& sibling : at(below_, parent(edge)))
        if (sibling != edge && sibling != no_edge) open.push_back({sibling, 1 - painted});
    }
  }

  int nodes() const { return static_cast<int>(below_.size()); }
  Rank parent(const Edge& edge) const { return at(at(parents_, edge.tree), edge.child); }
  int colour(const Edge& edge) const { return at(at(colours_, edge.tree), edge.child); }

  const std::array<Parents, 2>& parents_;
  Colours colours_;
  std::vector<std::array<Edge, 2>> below_;  // the edges to children, of both trees
};

}  // namespace

PipelinedTrees in_turn(const std::array<Parents, 2>& parents, const Colours& colours, int segments) {
  Painter painter(parents, colours);
  return {{{parents[0], painter.delays(0)}, {parents[1], painter.delays(1)}}, segments, 2};
}

PipelinedTrees in_turn(std::array<Parents, 2> parents, int segments) {
  if (segments == 1) std::ranges::fill(parents[1], nobody);
  const std::vector<int> blank(parents[0].size(), none);
  Painter painter(parents, {blank, blank});
  std::vector<int> even = painter.delays(0), odd = painter.delays(1);
  return {{{parents[0], std::move(even)}, {parents[1], std::move(odd)}}, segments, painter.period()};
}

}  // namespace vnode
