#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vnode::bench {

/// What was measured of an operation of one size, in each lap, microseconds; what is not there is empty.
struct Observation {
  std::vector<double> line, ours, limit, mpi, thread_mpi;
  std::string configuration;  ///< of the MPI
};

/// One of an Observation's times, as a bound: factor x it + nanoseconds.
struct Term {
  std::vector<double> Observation::*of;
  double factor;
  double extra_ns = 0;
};

/// A promise: ours is not above any of these, or not above another one.
struct Promise {
  std::string text;
  std::vector<Term> all_of;
  std::optional<Term> or_else{};
};

/// The bound in each lap: the least of those that were measured, or, if that is more, the other. Empty if
/// nothing was.
std::vector<double> bounds(const Promise& promise, const Observation& observation);

}  // namespace vnode::bench
