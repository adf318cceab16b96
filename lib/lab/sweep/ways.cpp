#include <algorithm>
#include <numeric>

#include <vnode/lab/sweep.hpp>

#include "collective/needs.hpp"
#include "sweep/factorisations.hpp"
#include "sweep/hierarchies.hpp"

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

// All shifts of one turn, one back, and more than a turn.
std::vector<int> every_shift(int nodes) {
  std::vector<int> shifts(static_cast<std::size_t>(nodes));
  std::iota(shifts.begin(), shifts.end(), 0);
  shifts.push_back(-1);
  shifts.push_back(2 * nodes + 1);
  return shifts;
}

// All roots; where they are too many, the first, the last and two between.
std::vector<Rank> roots(const Algorithm& algorithm, int nodes, int all_to) {
  if (!has_root(algorithm.collective)) return {0};
  if (nodes > all_to) return {0, 1, nodes / 2, nodes - 1};
  std::vector<Rank> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
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
  const bool shifts = algorithm.collective == Collective::circular_shift;
  const bool reads_extents = needs(algorithm, Need::extents);
  const std::vector<std::vector<int>> none{{}};
  const bool reads_hierarchy = needs(algorithm, Need::domains);
  // Of hierarchies there are many.
  const std::vector<int> several_segments = reads_hierarchy ? std::vector{1, 3} : std::vector{1, 2, 3, 6};
  const std::vector<int> zero{0}, one{1}, binary{2}, several_radices{2, 3, 4, 7};
  const std::vector<Rank> some_roots =
      roots(algorithm, nodes, reads_hierarchy ? usual_sweep / 2 : usual_sweep);
  std::vector<Parameters> ways;
  for (const Hierarchy& hierarchy : reads_hierarchy ? hierarchies(nodes) : std::vector<Hierarchy>{{}})
    for (const std::vector<int>& extents : reads_extents ? factorisations(nodes) : none)
      for (const std::vector<int>& order : algorithm.dimension_order ? dimension_orders(nodes) : none)
        for (const int segments : algorithm.segments ? several_segments : one)
          for (const int radix : algorithm.radix ? several_radices : binary)
            for (const Rank root : some_roots)
              for (const int shift : shifts ? every_shift(nodes) : zero)
                for (const bool keep_order : {false, true}) {
                  if (keep_order && !combines(algorithm.collective)) continue;
                  Parameters way{nodes, root, extents, order, keep_order, shift, segments, radix, hierarchy};
                  if (!why_not(algorithm, way)) ways.push_back(std::move(way));
                }
  return ways;
}

}  // namespace vnode
