// A x = b by Gaussian elimination with partial pivoting and back-substitution (Grama et al., section 8.3;
// pivots are sought in columns, not in rows as there). Row i is on node i mod p, so that all nodes have rows
// left until the end. For each column k:
//   1. pivot: of the rows that are left, the one with the greatest |a[i][k]|. Each node finds its own best;
//      all_reduce with maximum_location finds the best of all, on all nodes alike
//   2. the pivot's owner broadcasts that row, from column k on
//   3. each node subtracts a multiple of it from each of its rows that are left
// Rows stay where they are: pivots[k] remembers which was the k-th. Back-substitution broadcasts one unknown
// after the other. It takes n all_reduces and 2 n broadcasts of at most n + 1 numbers.
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Vector = std::vector<double>;
using Matrix = example::Matrix<double>;  // A with b as its last column

Matrix random_system(std::size_t n) {
  Matrix made(n, n + 1);
  std::mt19937 random(1);
  for (double& element : made.elements()) element = std::uniform_real_distribution<>(-1, 1)(random);
  return made;
}

// row -= factor * pivot, from column k + 1 on.
void subtract(std::span<double> row, double factor, std::span<const double> pivot, std::size_t k) {
  for (std::size_t j = k + 1; j < row.size(); ++j) row[j] -= factor * pivot[j];
}

Vector solve_sequentially(Matrix a) {
  const std::size_t n = a.rows();
  std::vector<std::size_t> order;  // rows: those that were pivots, then those that are left
  for (std::size_t i = 0; i < n; ++i) order.push_back(i);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(a[order[i]][k]) > std::abs(a[order[best]][k])) best = i;
    std::swap(order[k], order[best]);
    const std::span<const double> pivot = a[order[k]];
    for (std::size_t i = k + 1; i < n; ++i) subtract(a[order[i]], a[order[i]][k] / pivot[k], pivot, k);
  }
  Vector x(n);
  for (std::size_t k = n; k-- > 0;) {
    x[k] = a[order[k]][n] / a[order[k]][k];
    for (std::size_t i = 0; i < k; ++i) a[order[i]][n] -= a[order[i]][k] * x[k];
  }
  return x;
}

// `mine` has rows rank, rank + p, rank + 2 p ... of a system of n equations; returns x, on all nodes.
Vector solve(vnode::Group& me, Matrix& mine, std::size_t n) {
  const auto p = static_cast<std::size_t>(me.size()), rank = static_cast<std::size_t>(me.rank());
  std::vector<std::size_t> left;  // my rows that were no pivot yet
  for (std::size_t i = 0; i < mine.rows(); ++i) left.push_back(i);
  std::vector<std::size_t> pivots;
  const auto owner = [&](std::size_t row) { return static_cast<vnode::Rank>(row % p); };
  Vector pivot(n + 1);
  for (std::size_t k = 0; k < n; ++k) {
    std::array best{vnode::Located{-1.0, 0}};
    for (const std::size_t i : left)
      best[0] = vnode::maximum_location{}(
          best[0], vnode::Located{std::abs(mine[i][k]), static_cast<std::int64_t>(i * p + rank)});
    me.all_reduce(best, vnode::maximum_location{});

    pivots.push_back(static_cast<std::size_t>(best[0].index));
    if (me.rank() == owner(pivots[k])) {
      std::ranges::copy(mine[pivots[k] / p], pivot.begin());
      std::erase(left, pivots[k] / p);
    }
    me.broadcast(std::span(pivot).subspan(k), owner(pivots[k]));

    for (const std::size_t i : left) subtract(mine[i], mine[i][k] / pivot[k], pivot, k);
  }

  Vector x(n);
  std::vector<std::pair<std::size_t, std::size_t>> eliminated;  // (my row, k) in the order of k
  for (std::size_t k = 0; k < n; ++k)
    if (me.rank() == owner(pivots[k])) eliminated.emplace_back(pivots[k] / p, k);
  for (std::size_t k = n; k-- > 0;) {
    if (me.rank() == owner(pivots[k])) {
      const auto row = mine[eliminated.back().first];
      x[k] = row[n] / row[k];
      eliminated.pop_back();
    }
    me.broadcast(std::span(x).subspan(k, 1), owner(pivots[k]));
    for (const auto& [row, column] : eliminated) mine[row][n] -= mine[row][k] * x[k];
  }
  return x;
}

Vector solve_on(vnode::Team& team, const Matrix& system, double& seconds) {
  Vector x;
  team.run([&](vnode::Node& me) {
    const auto p = static_cast<std::size_t>(me.size()), rank = static_cast<std::size_t>(me.rank());
    const std::size_t n = system.rows();
    Matrix mine((n + p - 1 - rank) / p, n + 1);
    const auto take_my_rows = [&] {
      for (std::size_t i = 0; i < mine.rows(); ++i) std::ranges::copy(system[i * p + rank], mine[i].begin());
    };
    Vector found;
    const double measured = example::seconds(me, take_my_rows, [&] { found = solve(me, mine, n); });
    if (me.rank() == 0) seconds = measured, x = found;
  });
  return x;
}

// Whether x satisfies every equation, but for a few rounding errors of the greatest of its terms. No x does
// so that is not a number.
bool solves(const Vector& x, const Matrix& a) {
  const std::size_t n = a.rows();
  double greatest = 1;
  for (const double element : x) greatest = std::max(greatest, std::abs(element));
  for (std::size_t i = 0; i < n; ++i) {
    double difference = -a[i][n];
    for (std::size_t j = 0; j < n; ++j) difference += a[i][j] * x[j];
    if (!(std::abs(difference) <= 1e-13 * greatest * static_cast<double>(n))) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] = example::arguments(argc, argv, {4, 160}, "the number of unknowns", 10'000);
  vnode::Team team{nodes};
  const Matrix system = random_system(n);
  double parallel = 0;
  const Vector x = solve_on(team, system, parallel);
  Vector expected;
  const double sequential = example::seconds([] {}, [&] { expected = solve_sequentially(system); });
  const bool right = solves(x, system) && solves(expected, system);
  return example::report("Gaussian elimination with " + std::to_string(n) + " unknowns", team, right,
                         parallel, sequential);
} catch (const std::exception& error) {
  return example::complain("gaussian_elimination", error);
}
