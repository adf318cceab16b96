// y = A x on an n x n mesh of virtual nodes (Grama et al., example 4.1). Node i n + j holds A[i][j]; x[j]
// begins on node j, in the top row; y[i] ends on node i n, in the leftmost column.
//   1. in all columns at once: broadcast x[j] downwards
//   2. multiply
//   3. in all rows at once: add the products up towards the left
// Columns and rows are linear arrays, and use the algorithm for those: distances halve from round to round in
// a broadcast and double in a reduction. It takes 2 ceil(log2 n) rounds, for any n.
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <vector>

#include <vnode/vnode.hpp>

namespace {

using Vector = std::vector<double>;

// Small whole numbers, so that sums are exact in any order.
double a(int i, int j) { return 1 + (7 * i + 3 * j) % 10; }

// What the node of row 0 has in `x`, all nodes of its column get.
void broadcast_in_column(vnode::Node& me, int n, std::span<double, 1> x) {
  const int row = me.rank() / n;
  for (int d = static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) / 2; d >= 1; d /= 2) {
    if (row % (2 * d) == 0 && row + d < n) me.send(x, me.rank() + d * n);
    if (row % (2 * d) == d) me.recv(x, me.rank() - d * n);
  }
}

// The node of column 0 gets the sum of what all nodes of its row have in `y`.
void reduce_in_row(vnode::Node& me, int n, std::span<double, 1> y) {
  const int column = me.rank() % n;
  for (int d = 1; d < n && column % d == 0; d *= 2) {
    if (column % (2 * d) == d) me.send(y, me.rank() - d);
    if (column % (2 * d) == 0 && column + d < n) {
      double right[1];
      me.recv(right, me.rank() + d);
      y[0] += right[0];
    }
  }
}

Vector product_on_mesh(int n, const Vector& x) {
  Vector y(x.size());
  vnode::Team team{n * n, vnode::mesh{n, n}};
  team.run([&](vnode::Node& me) {
    const int row = me.rank() / n, column = me.rank() % n;
    double mine[1] = {row == 0 ? x[static_cast<std::size_t>(column)] : 0};
    broadcast_in_column(me, n, mine);
    mine[0] *= a(row, column);
    reduce_in_row(me, n, mine);
    if (column == 0) y[static_cast<std::size_t>(row)] = mine[0];
  });
  return y;
}

Vector sequential_product(int n, const Vector& x) {
  Vector y;
  for (int i = 0; i < n; ++i) {
    double& sum = y.emplace_back(0);
    for (int j = 0; j < n; ++j) sum += a(i, j) * x[static_cast<std::size_t>(j)];
  }
  return y;
}

int extent(const char* text) {
  int n = 0;
  const char* const end = text + std::strlen(text);
  const auto [stopped, error] = std::from_chars(text, end, n);
  if (error != std::errc{} || stopped != end || n < 1 || n > vnode::max_nodes / n)
    throw vnode::UsageError("the extent of the mesh is a whole number from 1 to 181");
  return n;
}

}  // namespace

int main(int argc, char** argv) try {
  const int n = argc > 1 ? extent(argv[1]) : 4;
  Vector x;
  for (int j = 0; j < n; ++j) x.push_back(j + 1);
  const Vector y = product_on_mesh(n, x);
  std::printf("on a %d x %d mesh, y =", n, n);
  for (const double element : y) std::printf(" %g", element);
  const bool right = y == sequential_product(n, x);
  std::printf("\n%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "matrix_vector: %s\n", error.what());
  return 2;
}
