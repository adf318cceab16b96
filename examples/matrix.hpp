#pragma once

// Matrices by rows, and how n rows, columns or elements are shared out among p nodes.

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace example {

template <class T>
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), elements_(rows * columns) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  /// Row i: so a[i][j] is an element.
  std::span<T> operator[](std::size_t i) { return std::span(elements_).subspan(i * columns_, columns_); }
  std::span<const T> operator[](std::size_t i) const {
    return std::span(elements_).subspan(i * columns_, columns_);
  }
  /// All elements, row by row.
  std::vector<T>& elements() { return elements_; }
  const std::vector<T>& elements() const { return elements_; }
  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::size_t rows_, columns_;
  std::vector<T> elements_;
};

template <class T>
Matrix<T> transposed(const Matrix<T>& a) {
  Matrix<T> made(a.columns(), a.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j) made[j][i] = a[i][j];
  return made;
}

/// c = a b. Each row of b is read once, for all rows of a.
template <class T>
void multiply(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& c) {
  std::ranges::fill(c.elements(), T{});
  for (std::size_t k = 0; k < b.rows(); ++k)
    for (std::size_t i = 0; i < a.rows(); ++i) {
      const T factor = a[i][k];
      const std::span<const T> row = b[k];
      const std::span<T> sum = c[i];
      for (std::size_t j = 0; j < row.size(); ++j) sum[j] += factor * row[j];
    }
}

/// Indices first .. end-1.
struct Block {
  std::size_t first, end;
  std::size_t size() const { return end - first; }
};

/// Part `part` of 0 .. n-1 in `parts` blocks that are as equal as can be, the larger ones first.
inline Block block(std::size_t n, int parts, int part) {
  const auto p = static_cast<std::size_t>(parts), r = static_cast<std::size_t>(part);
  const std::size_t first = r * (n / p) + std::min(r, n % p);
  return {first, first + n / p + (r < n % p ? 1 : 0)};
}

/// These rows of a.
template <class T>
Matrix<T> rows_of(const Matrix<T>& a, Block rows) {
  Matrix<T> made(rows.size(), a.columns());
  for (std::size_t i = 0; i < made.rows(); ++i) std::ranges::copy(a[rows.first + i], made[i].begin());
  return made;
}

/// The part that has index i.
inline int part_with(std::size_t i, std::size_t n, int parts) {
  const auto p = static_cast<std::size_t>(parts);
  const std::size_t in_larger = n % p * (n / p + 1);
  return static_cast<int>(i < in_larger ? i / (n / p + 1) : n % p + (i - in_larger) / (n / p));
}

}  // namespace example
