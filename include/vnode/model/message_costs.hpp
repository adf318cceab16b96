#pragma once

#include <cstddef>
#include <span>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes Hockney's model, in seconds: a message of n bytes takes t_s + n t_w.
struct Hockney {
  double t_s = 0;  ///< time to start a message (alpha)
  double t_w = 0;  ///< time per byte (beta)
  friend bool operator==(const Hockney&, const Hockney&) = default;
};

/// Describes the LogGP model, in seconds: a message of n bytes occupies its sender for o, its bytes leave in
/// (n - 1) G, the last arrives L later, and its receiver is occupied for o; two messages of a node are at
/// least g apart.
struct LogGP {
  double L = 0;  ///< latency
  double o = 0;  ///< overhead of a processor for sending and for receiving
  double g = 0;  ///< gap between two messages
  double G = 0;  ///< gap per byte
  friend bool operator==(const LogGP&, const LogGP&) = default;
};

/// Describes the measured time of a message.
struct MessageTime {
  std::size_t bytes = 0;  ///< its length
  double seconds = 0;     ///< more than 0
};
/// Returns the t_s and t_w, neither below 0, that predict `times` with the least sum of squared relative
/// errors, so that short messages count as much as long ones. Throws UsageError for fewer than two lengths or
/// a time that is not more than 0. O(times).
Hockney fitted_hockney(std::span<const MessageTime> times);

}  // namespace vnode
#pragma GCC visibility pop
