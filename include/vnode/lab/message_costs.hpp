#pragma once

#include <cstddef>
#include <span>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Hockney's model: a message of n bytes takes t_s + n t_w. Seconds.
struct Hockney {
  double t_s = 0;  ///< to start a message (alpha)
  double t_w = 0;  ///< for each byte (beta)
  friend bool operator==(const Hockney&, const Hockney&) = default;
};

/// LogGP: a message of n bytes keeps its sender busy for o, its bytes leave in (n - 1) G, the last arrives L
/// later, and its receiver is busy for o; between two messages of a node there are at least g. Seconds.
struct LogGP {
  double L = 0;  ///< latency
  double o = 0;  ///< overhead of a processor, to send and to receive
  double g = 0;  ///< gap between two messages
  double G = 0;  ///< gap per byte
  friend bool operator==(const LogGP&, const LogGP&) = default;
};

/// How long a message took.
struct MessageTime {
  std::size_t bytes = 0;  ///< its length
  double seconds = 0;     ///< more than 0
};
/// The t_s and t_w, neither below 0, that predict `times` with the least sum of squared relative errors: so
/// short messages count as much as long ones. UsageError for fewer than two lengths or a time that is not
/// more than 0. O(times).
Hockney fitted_hockney(std::span<const MessageTime> times);

}  // namespace vnode
#pragma GCC visibility pop
