#include <algorithm>
#include <numeric>

#include <vnode/sweep.hpp>

#include "sweep/factorisations.hpp"

namespace vnode {

namespace {

// All orders of d dimensions, or the d rotations of the natural one if they are too many.
std::vector<std::vector<int>> dimension_orders(int nodes) {
  std::vector<int> order;
  for (int dimension = 0; 1 << dimension < nodes; ++dimension) order.push_back(dimension);
  std::vector<std::vector<int>> orders{{}};
  if (nodes <= 16) {
    do orders.push_back(order);
    while (std::ranges::next_permutation(order).found);
  } else {
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::rotate(order.begin(), order.begin() + 1, order.end());
      orders.push_back(order);
    }
  }
  return orders;
}

}  // namespace

std::vector<std::vector<int>> factorisations(int nodes) {
  std::vector<std::vector<int>> all;
  for (int rows = 1; rows <= nodes; ++rows) {
    if (nodes % rows != 0) continue;
    all.push_back({rows, nodes / rows});
    if (nodes > 27) continue;
    for (int columns = 1; columns <= nodes / rows; ++columns)
      if (nodes / rows % columns == 0) all.push_back({rows, columns, nodes / rows / columns});
  }
  return all;
}

std::vector<Parameters> every_way(const Algorithm& algorithm, int nodes) {
  const bool rooted = algorithm.collective != Collective::barrier;
  const bool reads_extents = std::ranges::find(algorithm.needs, Need::extents) != algorithm.needs.end();
  const std::vector<std::vector<int>> none{{}};
  std::vector<Parameters> ways;
  for (const std::vector<int>& extents : reads_extents ? factorisations(nodes) : none)
    for (const std::vector<int>& order : algorithm.dimension_order ? dimension_orders(nodes) : none)
      for (const bool keep_order : {false, true}) {
        if (keep_order && algorithm.collective != Collective::reduce) continue;
        for (Rank root = 0; root < (rooted ? nodes : 1); ++root) {
          Parameters way{nodes, root, extents, order, keep_order};
          if (!why_not(algorithm, way)) ways.push_back(std::move(way));
        }
      }
  return ways;
}

}  // namespace vnode
