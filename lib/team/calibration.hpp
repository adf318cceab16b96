#pragma once

#include <array>
#include <chrono>
#include <cstddef>

#include <vnode/model/cost.hpp>

namespace vnode {

class Member;

/// A point in time at which a measurement gives up. Measuring takes a millisecond or two, but it may take any
/// time where the two nodes do not have a core each.
using MeasureUntil = std::chrono::steady_clock::time_point;

/// Measures what messages and combining cost. Both nodes of a group of two call it; the result of node 0
/// counts. The message lengths in the result are typical ones. Throws TimeLimitExceeded if it is not done by
/// `until`.
CostModel calibrated(Member& member, MeasureUntil until);

/// Holds the seconds that messages between two nodes take, however they travel in that group.
struct Carried {
  static constexpr std::size_t short_bytes = 8, long_bytes = 1000;
  static constexpr std::array<std::size_t, 3> told_bytes{4096, 8192, 16384};
  double short_exchange = 0, long_exchange = 0;  ///< both nodes send and receive
  std::array<double, told_bytes.size()> told{};  ///< one node sends
};
/// Measures these times. It is called as calibrated() is.
Carried carried(Member& member, MeasureUntil until);

/// The shortest eager limit that is ever measured, in bytes.
inline constexpr std::size_t least_eager = 256;
/// Returns the length at which rendezvous and eager messages take the same time, in bytes; above 1000 bytes
/// any length is as good.
std::size_t eager_limit(const Carried& eager, const Carried& rendezvous);
/// Returns the least length from which messages are faster where both ends copy.
std::size_t shared_limit(const Carried& alone, const Carried& shared);

}  // namespace vnode
