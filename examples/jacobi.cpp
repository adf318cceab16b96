// The temperature of a square plate of n x n points whose upper edge is hot, by Jacobi's iteration on a mesh
// of nodes: in each sweep every point becomes the mean of its four neighbours. Node (r, c) has a block of the
// plate, with a frame around it for its neighbours' outermost points (a halo). In each sweep a node
//   1. starts four circular shifts by one: its outermost rows go up and down its column of nodes, its
//      outermost columns left and right along its row
//   2. meanwhile updates the points that need no halo: communication is overlapped with computation (Grama et
//      al., section 6.5)
//   3. waits, puts what has come into the halo, but for what has come round from the plate's other edge, and
//      updates the points that need it
//   4. all_reduce finds the greatest change of all; the iteration ends when it is small
// A node's messages are n / sqrt(p) numbers long.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Plate = example::Matrix<double>;

constexpr double small_change = 2e-3;

// Points (i, j) of a block, with i and j counted in its frame.
struct Region {
  std::size_t first_row, end_row, first_column, end_column;
};

// Updates a region; returns the greatest change.
double sweep(const Plate& old, Plate& now, const Region& region) {
  double change = 0;
  for (std::size_t i = region.first_row; i < region.end_row; ++i)
    for (std::size_t j = region.first_column; j < region.end_column; ++j) {
      now[i][j] = (old[i - 1][j] + old[i + 1][j] + (old[i][j - 1] + old[i][j + 1])) * 0.25;
      change = std::max(change, std::abs(now[i][j] - old[i][j]));
    }
  return change;
}

// A cold block with its frame; the plate's upper edge lies in its frame's if `upper`.
Plate cold(std::size_t rows, std::size_t columns, bool upper) {
  Plate made(rows + 2, columns + 2);
  if (upper) std::ranges::fill(made[0], 1.0);
  return made;
}

void iterate_sequentially(Plate& plate) {
  Plate next = plate;
  for (double change = 1; change > small_change; std::swap(plate, next))
    change = sweep(plate, next, {1, plate.rows() - 1, 1, plate.columns() - 1});
}

// A node's place: among all, and in its row and its column of the mesh.
struct Place {
  vnode::Group& all;
  vnode::Group row, column;
};

// `block` in its frame becomes what it is at the end.
void iterate(Place& me, Plate& block) {
  const std::size_t rows = block.rows() - 2, columns = block.columns() - 2;
  const auto own = [&](Plate& plate, std::size_t row) { return plate[row].subspan(1, columns); };
  std::vector<double> above(columns), below(columns), left(rows), right(rows);  // what comes
  std::vector<double> first(rows), last(rows);                                  // own columns, to go

  Plate next = block;
  for (std::array<double, 1> change{1}; change[0] > small_change; std::swap(block, next)) {
    for (std::size_t i = 0; i < rows; ++i) {
      first[i] = block[i + 1][1];
      last[i] = block[i + 1][columns];
    }
    std::array shifts{me.column.nonblocking().circular_shift(own(block, rows), above, 1),
                      me.column.nonblocking().circular_shift(own(block, 1), below, -1),
                      me.row.nonblocking().circular_shift(last, left, 1),
                      me.row.nonblocking().circular_shift(first, right, -1)};

    change[0] = sweep(block, next, {2, rows, 2, columns});

    wait_all(shifts);
    const bool top = me.column.rank() == 0, bottom = me.column.rank() == me.column.size() - 1;
    const bool leftmost = me.row.rank() == 0, rightmost = me.row.rank() == me.row.size() - 1;
    if (!top) std::ranges::copy(above, own(block, 0).begin());
    if (!bottom) std::ranges::copy(below, own(block, rows + 1).begin());
    for (std::size_t i = 0; i < rows; ++i) {
      if (!leftmost) block[i + 1][0] = left[i];
      if (!rightmost) block[i + 1][columns + 1] = right[i];
    }
    for (const std::size_t row : {std::size_t{1}, rows})
      change[0] = std::max(change[0], sweep(block, next, {row, row + 1, 1, columns + 1}));
    for (const std::size_t column : {std::size_t{1}, columns})
      change[0] = std::max(change[0], sweep(block, next, {2, rows, column, column + 1}));

    me.all.all_reduce(change, vnode::maximum{});
  }
}

double iterate_on(vnode::Team& team, std::size_t n, Plate& plate) {
  double seconds = 0;
  team.run([&](vnode::Node& me) {
    Place place{me, me.split(vnode::shapes::along{1}), me.split(vnode::shapes::along{0})};
    const example::Block rows = example::block(n, place.column.size(), place.column.rank());
    const example::Block columns = example::block(n, place.row.size(), place.row.rank());
    Plate block(0, 0);
    const double measured = example::seconds(
        me, [&] { block = cold(rows.size(), columns.size(), place.column.rank() == 0); },
        [&] { iterate(place, block); });
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::ranges::copy(block[i + 1].subspan(1, columns.size()),
                        plate[rows.first + i + 1].subspan(columns.first + 1).begin());
    if (me.rank() == 0) seconds = measured;
  });
  return seconds;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] =
      example::arguments(argc, argv, {4, 120}, "the points in a row and in a column", 20'000);
  vnode::Team team{nodes, vnode::shapes::mesh{}};
  if (n < static_cast<std::size_t>(team.topology().extents()[1]))
    throw vnode::UsageError("SIZE must be at least " + std::to_string(team.topology().extents()[1]) +
                            ": a mesh of " + std::to_string(nodes) + " nodes has that many columns");
  const Plate beginning = cold(n, n, true);
  Plate plate = beginning, expected = beginning;
  const double parallel = iterate_on(team, n, plate);
  const double sequential =
      example::seconds([&] { expected = beginning; }, [&] { iterate_sequentially(expected); });
  return example::report("Jacobi's iteration on " + std::to_string(n) + " x " + std::to_string(n) + " points",
                         team, plate == expected, parallel, sequential);
} catch (const std::exception& error) {
  return example::complain("jacobi", error);
}
