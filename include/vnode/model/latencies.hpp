#pragma once

#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace vnode {

/// Holds how long a cache line takes from one PU to another, one way, for all pairs of PUs of a machine.
struct Latencies {
  /// Holds seconds by the system's numbers of two PUs, the greater first: below[a][b] for b < a; 0 where a
  /// pair was not measured. Row a has a values.
  std::vector<std::vector<double>> below{};

  /// Returns the number of PUs.
  int pus() const { return static_cast<int>(below.size()); }
  /// Returns the seconds between two PUs, in either order; 0 where they are not known. Throws
  /// std::out_of_range if there is no such PU.
  double between(int a, int b) const;
  friend bool operator==(const Latencies&, const Latencies&) = default;
};

/// Reads a matrix of nanoseconds as core-to-core benchmarks write it: a line for each PU, by the system's
/// numbers from 0 on, with as many numbers, by commas, as there are lines; fields may be empty, and those
/// behind the last number be left out. Of a square the mean of both directions counts, the diagonal does not.
/// Throws UsageError, which names the line, for what is no number above 0, and for a row that is too long.
/// O(text).
///
/// Source of the form: github.com/nviennot/core-to-core-latency, --csv.
Latencies latencies_from_csv(std::string_view text);
/// Returns the lower triangle as latencies_from_csv() reads it, in nanoseconds with one digit after the
/// point.
std::string to_csv(const Latencies& latencies);

}  // namespace vnode
#pragma GCC visibility pop
