// Heat in a plate of n x n points that goes round in both directions (a torus), by explicit steps in time: in
// each step every point takes a part of what its four neighbours have more than itself. Node (r, c) of a
// torus of nodes has a block of the plate, in a frame for its neighbours' outermost points (a halo). In each
// step a node
//   1. starts an exchange with all its neighbours that was planned once: its outermost rows and columns go
//   out
//      from where they lie, and what comes goes into the frame. Columns are layouts: nothing is packed by
//      hand
//   2. meanwhile updates the points that need no halo: communication is overlapped with computation (Grama et
//      al., section 6.5)
//   3. waits, and updates the points at the border of its block
// A plate has two buffers that take turns, and so there are two planned exchanges. At the end node 0 collects
// the blocks where they belong: a subarray of the plate for each node.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Plate = example::Matrix<double>;
using vnode::Laid;
using vnode::Layout;
namespace layouts = vnode::layouts;

constexpr int steps = 50;
constexpr double conductivity = 0.2;

double beginning(std::size_t i, std::size_t j) {
  return std::sin(static_cast<double>(i * i % 101)) + std::cos(static_cast<double>(3 * j % 89 + i));
}

// One point after a step.
double after(const Plate& old, std::size_t i, std::size_t j, std::size_t up, std::size_t down,
             std::size_t left, std::size_t right) {
  const double sum = (old[up][j] + old[down][j]) + (old[i][left] + old[i][right]);
  return old[i][j] + conductivity * (sum - 4 * old[i][j]);
}

void iterate_sequentially(Plate& plate) {
  const std::size_t n = plate.rows();
  Plate next = plate;
  for (int step = 0; step < steps; ++step, std::swap(plate, next))
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        next[i][j] = after(plate, i, j, (i + n - 1) % n, (i + 1) % n, (j + n - 1) % n, (j + 1) % n);
}

// Rows and columns [first, end) of a block, counted in its frame.
void update(const Plate& old, Plate& next, std::size_t first_row, std::size_t end_row,
            std::size_t first_column, std::size_t end_column) {
  for (std::size_t i = first_row; i < end_row; ++i)
    for (std::size_t j = first_column; j < end_column; ++j)
      next[i][j] = after(old, i, j, i - 1, i + 1, j - 1, j + 1);
}

// What a part of a block in its frame is in memory: `height` rows of `width`, from (row, column) on.
Layout part(const Plate& block, std::size_t height, std::size_t width, std::size_t row, std::size_t column) {
  return layouts::subarray({block.rows(), block.columns()}, {height, width}, {row, column});
}

// The exchange of a block's halo, planned. Neighbours are listed as vnode::Neighbours says: above and below,
// which is the torus's first dimension, then left and right.
vnode::Persistent halo(vnode::Node& me, Plate& block) {
  const std::size_t rows = block.rows() - 2, columns = block.columns() - 2;
  const auto strip = [&](const Layout& layout) { return laid(block.elements(), layout); };
  const std::array border{strip(part(block, 1, columns, 1, 1)), strip(part(block, 1, columns, rows, 1)),
                          strip(part(block, rows, 1, 1, 1)), strip(part(block, rows, 1, 1, columns))};
  const std::array frame{strip(part(block, 1, columns, 0, 1)), strip(part(block, 1, columns, rows + 1, 1)),
                         strip(part(block, rows, 1, 1, 0)), strip(part(block, rows, 1, 1, columns + 1))};
  return me.persistent().exchange(border, frame);
}

void iterate(vnode::Node& me, Plate& block) {
  const std::size_t rows = block.rows() - 2, columns = block.columns() - 2;
  Plate next = block;
  std::array<Plate*, 2> plates{&block, &next};
  std::array halos{halo(me, block), halo(me, next)};
  for (int step = 0; step < steps; ++step) {
    const Plate& from = *plates[static_cast<std::size_t>(step % 2)];
    Plate& to = *plates[static_cast<std::size_t>((step + 1) % 2)];
    vnode::Persistent& exchange = halos[static_cast<std::size_t>(step % 2)];
    exchange.start();
    if (rows > 2) update(from, to, 2, rows, 2, columns);
    exchange.wait();
    update(from, to, 1, 2, 1, columns + 1);
    if (rows > 1) update(from, to, rows, rows + 1, 1, columns + 1);
    update(from, to, 2, rows, 1, 2);
    if (columns > 1) update(from, to, 2, rows, columns, columns + 1);
  }
  static_assert(steps % 2 == 0, "the result is in the block");
}

// Where the node's block lies in the plate.
struct Tile {
  example::Block rows, columns;
};
Tile tile(const vnode::Topology& torus, vnode::Rank rank, std::size_t n) {
  const std::vector<int> place = torus.coordinates(rank);
  return {example::block(n, torus.extents()[0], place[0]), example::block(n, torus.extents()[1], place[1])};
}

// Puts the blocks of all nodes into the plate of node 0: every other node sends node 0 one piece, and nothing
// to the rest.
void collect(vnode::Node& me, Plate& block, Plate& plate) {
  const auto nodes = static_cast<std::size_t>(me.size());
  std::vector<Laid<const double>> out(nodes, laid(std::as_const(block).elements(), Layout()));
  std::vector<Laid<double>> in(nodes, laid(plate.elements(), Layout()));
  out[0] = laid(std::as_const(block).elements(), part(block, block.rows() - 2, block.columns() - 2, 1, 1));
  for (vnode::Rank rank = 0; me.rank() == 0 && rank < me.size(); ++rank) {
    const Tile there = tile(me.topology(), rank, plate.rows());
    in[static_cast<std::size_t>(rank)] =
        laid(plate.elements(),
             part(plate, there.rows.size(), there.columns.size(), there.rows.first, there.columns.first));
  }
  me.all_to_all_w(out, in);
}

double iterate_on(vnode::Team& team, std::size_t n, Plate& plate) {
  double seconds = 0;
  team.run([&](vnode::Node& me) {
    const Tile mine = tile(me.topology(), me.rank(), n);
    Plate block(mine.rows.size() + 2, mine.columns.size() + 2), nothing(0, 0);
    const double measured = example::seconds(
        me,
        [&] {
          for (std::size_t i = 0; i < mine.rows.size(); ++i)
            for (std::size_t j = 0; j < mine.columns.size(); ++j)
              block[i + 1][j + 1] = beginning(mine.rows.first + i, mine.columns.first + j);
        },
        [&] { iterate(me, block); });
    collect(me, block, me.rank() == 0 ? plate : nothing);
    if (me.rank() == 0) seconds = measured;
  });
  return seconds;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto arguments =
      example::arguments(argc, argv, {4, 120}, "the points in a row and in a column", 20'000);
  const int nodes = arguments.nodes;
  const std::size_t n = arguments.size;
  vnode::Team team{nodes, vnode::shapes::torus{}};
  if (n < static_cast<std::size_t>(team.topology().extents()[1]))
    throw vnode::UsageError("SIZE must be at least " + std::to_string(team.topology().extents()[1]) +
                            ": a torus of " + std::to_string(nodes) + " nodes has that many columns");
  Plate plate(n, n), expected(n, n);
  const double parallel = iterate_on(team, n, plate);
  const double sequential = example::seconds(
      [&] {
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) expected[i][j] = beginning(i, j);
      },
      [&] { iterate_sequentially(expected); });
  return example::report("Heat in a plate of " + std::to_string(n) + " x " + std::to_string(n) + " points",
                         team, plate == expected, parallel, sequential);
} catch (const std::exception& error) {
  return example::complain("heat_2d", error);
}
