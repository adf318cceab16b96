// The product C = A B of two n x n matrices by Cannon's algorithm on a torus of q x q nodes. Node (r, c) has
// block (r, c) of each matrix.
//   1. blocks of A go left by their row's number, blocks of B up by their column's: now every node has two
//      blocks that belong together
//   2. a node adds their product to its block of C, while they go on to its neighbours: those of A one node
//      to the left, those of B one up; after q times all have met
// A node never has more than two blocks of A and of B, and all messages but the first two go to neighbours
// (Grama et al., section 8.2.2). With more nodes than cores, VNODE_NODES=fibers makes them fibers:
//   VNODE_NODES=fibers example_cannon 1024 256
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Matrix = example::Matrix<double>;

// Whole numbers, so that sums are exact in any order.
Matrix numbers(std::size_t n, std::size_t factor) {
  Matrix made(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) made[i][j] = static_cast<double>((factor * i + 3 * j) % 17) - 8;
  return made;
}

// Adds a b to c.
void multiply_add(const Matrix& a, const Matrix& b, Matrix& c) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < b.rows(); ++k)
      for (std::size_t j = 0; j < b.columns(); ++j) c[i][j] += a[i][k] * b[k][j];
}

// The block of node (row, column), whose sides are `side` long.
Matrix block_of(const Matrix& whole, std::size_t side, int row, int column) {
  Matrix made(side, side);
  for (std::size_t i = 0; i < side; ++i) {
    const auto from = whole[static_cast<std::size_t>(row) * side + i];
    std::ranges::copy(from.subspan(static_cast<std::size_t>(column) * side, side), made[i].begin());
  }
  return made;
}

// Multiplies the blocks of the nodes of a row and of a column, whose ranks there are `column` and `row`.
Matrix multiply(vnode::Group& along_row, vnode::Group& along_column, const Matrix& own_a,
                const Matrix& own_b) {
  const std::size_t side = own_a.rows();
  const int row = along_column.rank(), column = along_row.rank();
  Matrix a(side, side), b(side, side), next_a(side, side), next_b(side, side), c(side, side);
  along_row.circular_shift(own_a.elements(), a.elements(), -row);
  along_column.circular_shift(own_b.elements(), b.elements(), -column);
  for (int left = along_row.size(); left > 1; --left) {
    vnode::Request shifts[] = {
        along_row.nonblocking().circular_shift(a.elements(), next_a.elements(), -1),
        along_column.nonblocking().circular_shift(b.elements(), next_b.elements(), -1)};
    multiply_add(a, b, c);
    wait_all(shifts);
    std::swap(a, next_a);
    std::swap(b, next_b);
  }
  multiply_add(a, b, c);
  return c;
}

double multiply_on(vnode::Team& team, const Matrix& a, const Matrix& b, Matrix& c) {
  double seconds = 0;
  team.run([&](vnode::Node& me) {
    vnode::Group along_row = me.split(vnode::shapes::along{1}),
                 along_column = me.split(vnode::shapes::along{0});
    const std::size_t side = a.rows() / static_cast<std::size_t>(along_row.size());
    const int row = along_column.rank(), column = along_row.rank();
    const Matrix own_a = block_of(a, side, row, column), own_b = block_of(b, side, row, column);
    Matrix own(0, 0);
    const double measured = example::seconds(
        me, [] {}, [&] { own = multiply(along_row, along_column, own_a, own_b); });
    for (std::size_t i = 0; i < side; ++i)
      std::ranges::copy(own[i], c[static_cast<std::size_t>(row) * side + i]
                                    .subspan(static_cast<std::size_t>(column) * side)
                                    .begin());
    if (me.rank() == 0) seconds = measured;
  });
  return seconds;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] = example::arguments(argc, argv, {4, 96}, "the rows of a matrix", 10'000);
  const int q = static_cast<int>(std::lround(std::sqrt(nodes)));
  if (q * q != nodes || n % static_cast<std::size_t>(q) != 0)
    throw vnode::UsageError("NODES must be a square number and SIZE a multiple of its root: 16 and 96");
  vnode::Team team{nodes, vnode::shapes::torus{{q, q}}};
  const Matrix a = numbers(n, 5), b = numbers(n, 7);
  Matrix c(n, n), expected(n, n);
  const double parallel = multiply_on(team, a, b, c);
  const double sequential =
      example::seconds([&] { expected = Matrix(a.rows(), a.rows()); }, [&] { multiply_add(a, b, expected); });
  return example::report("the product of two matrices of " + std::to_string(n) + " rows", team, c == expected,
                         parallel, sequential);
} catch (const std::exception& error) {
  return example::complain("cannon", error);
}
