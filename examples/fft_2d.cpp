// Two-dimensional discrete Fourier transform by transposition, as in the transpose algorithm of Grama et al.,
// section 13.3.1. Node r has block r of the rows:
//   1. each node transforms its rows
//   2. the matrix is transposed: what node s has of the columns of node d goes from s to d, all at once, by
//      all_to_all; each node turns the blocks around
//   3. each node transforms its rows, which were columns
// The result is the transform of the matrix, transposed. All nodes need equally many rows: NODES must divide
// SIZE. Rows are transformed by splitting off one prime factor after the other (Cooley and Tukey), so SIZE
// need not be a power of two; a factor f costs n f operations.
#include <complex>
#include <numbers>
#include <random>
#include <span>
#include <vector>

#include <vnode/vnode.hpp>

#include "example.hpp"
#include "matrix.hpp"

namespace {

using Complex = std::complex<double>;
using Matrix = example::Matrix<Complex>;
using Row = std::vector<Complex>;

constexpr std::size_t greatest_factor = 13;

std::size_t least_factor(std::size_t n) {
  std::size_t factor = 2;
  while (n % factor != 0) ++factor;
  return factor;
}

// w[k] = exp(-2 pi i k / n).
Row roots_of_unity(std::size_t n) {
  Row w;
  for (std::size_t k = 0; k < n; ++k)
    w.push_back(std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
  return w;
}

// The transform of the n numbers in[0], in[stride], in[2 stride] ...; `w` are the n stride-th roots of unity.
void transform(const Complex* in, std::size_t stride, std::span<Complex> out, const Row& w) {
  const std::size_t n = out.size();
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  const std::size_t f = least_factor(n), m = n / f;
  for (std::size_t q = 0; q < f; ++q) transform(in + q * stride, f * stride, out.subspan(q * m, m), w);
  for (std::size_t k = 0; k < m; ++k) {
    Complex part[greatest_factor];
    for (std::size_t q = 0; q < f; ++q) part[q] = out[q * m + k] * w[q * k * stride];
    for (std::size_t j = 0; j < f; ++j) {
      Complex sum = part[0];
      for (std::size_t q = 1; q < f; ++q) sum += part[q] * w[q * j % f * m * stride];
      out[j * m + k] = sum;
    }
  }
}

void transform_rows(Matrix& a, const Row& w) {
  Row out(a.columns());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    transform(a[i].data(), 1, out, w);
    std::ranges::copy(out, a[i].begin());
  }
}

void transpose_sequentially(Matrix& a) {
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < i; ++j) std::swap(a[i][j], a[j][i]);
}

// `mine` are equally many rows of a square matrix on each node. On the way a block lies column by column.
void transpose(vnode::Group& me, Matrix& mine) {
  const std::size_t rows = mine.rows(), n = mine.columns();
  Row to_send, received(rows * n);
  to_send.reserve(rows * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < rows; ++i) to_send.push_back(mine[i][j]);
  me.all_to_all(to_send, received);
  for (std::size_t source = 0; source < n / rows; ++source)
    for (std::size_t i = 0; i < rows; ++i)
      std::copy_n(&received[(source * rows + i) * rows], rows, &mine[i][source * rows]);
}

Matrix random_matrix(std::size_t n) {
  Matrix made(n, n);
  std::mt19937 random(1);
  std::uniform_real_distribution<> number(-1, 1);
  for (Complex& element : made.elements()) element = {number(random), number(random)};
  return made;
}

double transform_on(vnode::Team& team, const Matrix& data, Matrix& transformed) {
  double seconds = 0;
  team.run([&](vnode::Node& me) {
    const std::size_t n = data.rows();
    const example::Block rows = example::block(n, me.size(), me.rank());
    const Row w = roots_of_unity(n);
    Matrix mine(0, 0);
    const auto take_my_rows = [&] { mine = example::rows_of(data, rows); };
    const double measured = example::seconds(me, take_my_rows, [&] {
      transform_rows(mine, w);
      transpose(me, mine);
      transform_rows(mine, w);
    });
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::ranges::copy(mine[i], transformed[rows.first + i].begin());
    if (me.rank() == 0) seconds = measured;
  });
  return seconds;
}

// Element (u, v) of the transform as it is defined: a sum of n^2 terms.
Complex by_definition(const Matrix& data, std::size_t u, std::size_t v) {
  const std::size_t n = data.rows();
  const Row w = roots_of_unity(n);
  Complex sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) sum += data[i][j] * w[(u * i + v * j) % n];
  return sum;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto [nodes, n] = example::arguments(argc, argv, {4, 240}, "the rows and columns", 10'000);
  if (n % static_cast<std::size_t>(nodes) != 0)
    throw vnode::UsageError("NODES must divide SIZE, and " + std::to_string(nodes) + " does not divide " +
                            std::to_string(n) + ": all nodes get equally many rows");
  for (std::size_t rest = n; rest > 1; rest /= least_factor(rest))
    if (least_factor(rest) > greatest_factor)
      throw vnode::UsageError("SIZE has the prime factor " + std::to_string(least_factor(rest)) +
                              "; there is room for 2 to " + std::to_string(greatest_factor));
  vnode::Team team{nodes};
  const Matrix data = random_matrix(n);
  Matrix transformed(n, n), expected(n, n);
  const double parallel = transform_on(team, data, transformed);
  const Row w = roots_of_unity(n);
  const double sequential = example::seconds([&] { expected = data; },
                                             [&] {
                                               transform_rows(expected, w);
                                               transpose_sequentially(expected);
                                               transform_rows(expected, w);
                                             });
  bool right = transformed == expected;
  for (const auto& [u, v] : {std::pair{n / 3, n / 2}, std::pair{n - 1, n / 5}})
    right = right && std::abs(transformed[v][u] - by_definition(data, u, v)) < 1e-10 * static_cast<double>(n);
  return example::report("transform of " + std::to_string(n) + " x " + std::to_string(n), team, right,
                         parallel, sequential);
} catch (const std::exception& error) {
  return example::complain("fft_2d", error);
}
