#include "building_blocks/fences.hpp"

#include "building_blocks/two_colouring.hpp"

namespace vnode {

namespace {

struct Cell {
  int row, column;
};

// Returns who sends to a cell on fence A. The last column's message comes back a row lower if that is odd:
// otherwise it would come when fence B's does.
Cell above_on_a(Cell cell, int columns) {
  if (cell.row == 0) return {0, cell.column - 1};
  if (cell.column > 0) return {cell.row - 1, cell.column};
  return {cell.row - columns % 2, columns - 1};
}

// Returns who sends to it on fence B: the same with rows and columns exchanged.
Cell above_on_b(Cell cell, int rows) {
  const Cell above = above_on_a({cell.column, cell.row}, rows);
  return {above.column, above.row};
}

}  // namespace

PipelinedTrees fences(const Parameters& parameters) {
  const int rows = parameters.extents[0], columns = parameters.extents[1];
  const auto rank = [&](Cell cell) {
    const Rank root = parameters.root;
    return (root / columns + cell.row) % rows * columns + (root % columns + cell.column) % columns;
  };
  const auto p = static_cast<std::size_t>(parameters.nodes);
  std::array<Parents, 2> parents{Parents(p, nobody), Parents(p, nobody)};
  Colours colours{std::vector<int>(p), std::vector<int>(p)};
  for (int i = 1; i < parameters.nodes; ++i) {
    const Cell cell{i / columns, i % columns}, a = above_on_a(cell, columns), b = above_on_b(cell, rows);
    const auto node = static_cast<std::size_t>(rank(cell));
    const bool post = cell.row > 0 && cell.column > 0;  // a post of A runs along a column, of B along a row
    parents[0][node] = rank(a);
    parents[1][node] = rank(b);
    colours[0][node] = (a.row + a.column + post) % 2;
    colours[1][node] = (b.row + b.column + !post) % 2;
  }
  return in_turn(parents, colours, parameters.segments);
}

}  // namespace vnode
