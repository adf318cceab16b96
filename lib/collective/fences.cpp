// Two pipelines on edge-disjoint fences of a mesh, one along the root's row, one along its column.
#include "building_blocks/composition.hpp"
#include "building_blocks/remembered.hpp"
#include "building_blocks/two_colouring.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace fenced {

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

// Returns two edge-disjoint spanning trees of a mesh of rows and columns, counted from the root's and
// cyclic. Fence A has a rail along the root's row and posts down all other columns, whose last nodes close
// it with a message to the root's column; fence B has its rail along the root's column and its posts along
// all other rows. Nodes are coloured as a chessboard is, and send along rows and along columns in turn.
PipelinedTrees trees(const Parameters& parameters) {
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

// Returns by how many rounds it stays below r + c + k: an odd number of columns, if the number of segments is
// odd, or of rows, if it is even, saves one.
int saved(const Parameters& parameters) {
  const int rows = parameters.extents[0], columns = parameters.extents[1], k = parameters.segments;
  if (k % 2 == 0) return rows % 2;
  return k == 1 && rows == 2 ? 2 * (columns % 2) : columns % 2;
}

// Returns the number of its rounds in which nobody sends: one segment waits for its turn where there are two
// rows or two columns.
int idle(const Parameters& parameters) {
  const int rows = parameters.extents[0], columns = parameters.extents[1];
  return parameters.segments == 1 && columns % 2 == 0 ? (rows == 2) + (columns == 2) : 0;
}

constexpr Symbol symbols[] = {
    {"e",
     "what an odd number of columns, if k is odd, or of rows, if k is even, saves: 1, or 2 on two rows for k "
     "= 1",
     [](const Parameters& parameters) { return double(saved(parameters)); }},
    {"i", "the rounds in which nobody sends: none, but for k = 1 on two rows or columns",
     [](const Parameters& parameters) { return double(idle(parameters)); }}};

int rounds(const Parameters& parameters) {
  const int sum = parameters.extents[0] + parameters.extents[1] + parameters.segments;
  return parameters.nodes > 1 ? sum - saved(parameters) : 0;
}

Cost cost(const Parameters& parameters) {
  const double steps = rounds(parameters), words = (steps - idle(parameters)) / parameters.segments;
  return {steps, words, words, 0};
}

}  // namespace fenced

namespace registered {

// r + c + k rounds exactly where r and c are even.
constexpr Algorithm broadcast_fences = row({
    .name = "broadcast_fences",
    .build = [](const Parameters& parameters) { return remembered<fenced::trees>(parameters).broadcast(); },
    .cost = fenced::cost,
    .rounds = "(r + c + k - e) [p > 1]",
    .transfers = one_per_segment,
    .time = "(t_s (r + c + k - e) + t_w m (r + c + k - e - i) / k) [p > 1]",
    .best_segments = "sqrt((r + c - e - i) t_w m / t_s)",
    .symbols = fenced::symbols,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return remembered<fenced::trees>(parameters).peers(round, from, to); },
    .needs = rows_and_columns,
    .segments = true,
    .carriers = mesh_families,
    .best_for = "long messages on meshes",
    .source = "Barnett et al. 1996, edge-disjoint fences; odd extents by closing a row or column further",
});
constexpr Algorithm reduce_fences = reduction_row<broadcast_fences>({
    .name = "reduce_fences",
    .keeps_order = KeepsOrder::never,
});

}  // namespace registered
}  // namespace vnode
