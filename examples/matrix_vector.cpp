// y = A x on a mesh of virtual nodes (Grama et al., example 4.1 with blocks instead of elements; section
// 8.1.2). Node (i, j) of the mesh holds block A[i][j]; block x[j] begins on node (0, j), in the top row;
// block y[i] ends on node (i, 0), in the leftmost column.
//   1. in all columns at once: broadcast x[j] downwards
//   2. multiply the own block by x[j]
//   3. in all rows at once: add up the products towards the left
// Columns and rows are groups with a topology of their own, a linear array, and so get the algorithms for
// those: where all are in step, no link carries two messages at a time.
#include <functional>
#include <span>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Vector = std::vector<double>;
using Matrix = example::Matrix<double>;

// Small whole numbers, so that sums are exact in any order.
double a(std::size_t i, std::size_t j) { return 1 + static_cast<double>((7 * i + 3 * j) % 10); }
double x(std::size_t j) { return 1 + static_cast<double>(j % 5); }

Matrix matrix(example::Block rows, example::Block columns) {
  Matrix made(rows.size(), columns.size());
  for (std::size_t i = 0; i < made.rows(); ++i)
    for (std::size_t j = 0; j < made.columns(); ++j) made[i][j] = a(rows.first + i, columns.first + j);
  return made;
}

Vector vector(example::Block block) {
  Vector made;
  for (std::size_t j = block.first; j < block.end; ++j) made.push_back(x(j));
  return made;
}

// y = A x.
void multiply(const Matrix& matrix, std::span<const double> x, std::span<double> y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = 0;
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += matrix[i][j] * x[j];
  }
}

double product_on(vnode::Team& team, std::size_t n, Vector& y) {
  double seconds = 0;
  team.run([&](vnode::Node& me) {
    vnode::Group row = me.split(vnode::shapes::along{1}), column = me.split(vnode::shapes::along{0});
    const example::Block rows = example::block(n, column.size(), column.rank());
    const example::Block columns = example::block(n, row.size(), row.rank());
    const Matrix block = matrix(rows, columns);
    Vector part = column.rank() == 0 ? vector(columns) : Vector(columns.size()), sum(rows.size());
    const double measured = example::seconds(
        me, [] {},
        [&] {
          column.broadcast(part, 0);
          multiply(block, part, sum);
          row.reduce(sum, std::plus<>{}, 0);
        });
    if (me.rank() == 0) seconds = measured;
    if (row.rank() == 0)
      std::copy(sum.begin(), sum.end(), y.begin() + static_cast<std::ptrdiff_t>(rows.first));
  });
  return seconds;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] = example::arguments(argc, argv, {4, 500}, "the rows and columns of A", 30'000);
  vnode::Team team{nodes, vnode::shapes::mesh{}};
  Vector y(n), expected(n);
  const double parallel = product_on(team, n, y);
  const Matrix whole = matrix({0, n}, {0, n});
  const Vector all = vector({0, n});
  const double sequential = example::seconds([] {}, [&] { multiply(whole, all, expected); });
  return example::report("matrix-vector product of order " + std::to_string(n), team, y == expected, parallel,
                         sequential);
} catch (const std::exception& error) {
  return example::complain("matrix_vector", error);
}
