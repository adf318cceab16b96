#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include <vnode/lab/cost.hpp>

namespace vnode {

class Member;

/// Measuring takes a millisecond or two, but where two nodes have not two cores for themselves any time.
using MeasureUntil = std::chrono::steady_clock::time_point;

/// Measures what messages and combining cost. Called by both nodes of a group of two; what node 0 returns
/// counts. The lengths are the typical ones. Throws TimeLimitExceeded if it is not over by then.
CostModel calibrated(Member& member, MeasureUntil until);

/// Seconds of messages between two nodes, however they travel in that group.
struct Carried {
  static constexpr std::size_t short_bytes = 8, long_bytes = 1000;
  static constexpr std::array<std::size_t, 3> told_bytes{4096, 8192, 16384};
  double short_exchange = 0, long_exchange = 0;  ///< both send and receive
  std::array<double, told_bytes.size()> told{};  ///< one sends
};
/// Called as calibrated().
Carried carried(Member& member, MeasureUntil until);

/// The shortest eager limit that is ever measured.
inline constexpr std::size_t least_eager = 256;
/// Returns the length at which rendezvous and eager messages take the same time; 1000 bytes or more are as
/// good as any length.
std::size_t eager_limit(const Carried& eager, const Carried& rendezvous);
/// Returns the least length that takes less time where both ends copy.
std::size_t shared_limit(const Carried& alone, const Carried& shared);

/// Has the costs of a team's messages. Most calls need none: they are measured when they are asked for.
class Costs {
 public:
  /// `unmeasured` stands for what measure() would return where nobody asks; messages of up to `alike_to`
  /// bytes travel the same way by both.
  Costs(const CostModel& unmeasured, std::size_t alike_to, std::function<CostModel()> measure)
      : unmeasured_(unmeasured), alike_to_(alike_to), measure_(std::move(measure)) {}

  /// Returns what measure() returns, or has returned. Any thread may ask; all get the same.
  const CostModel& get() {
    const std::lock_guard lock(mutex_);
    if (!costs_) costs_ = measure_();
    return *costs_;
  }
  /// For a call whose messages have at most so many bytes: measured if it is `open` which algorithm serves
  /// it, or if their way depends on it. So their way does not depend on whether a node names the algorithm.
  const CostModel& of_call(bool open, std::size_t bytes) {
    return open || bytes > alike_to_ ? get() : unmeasured_;
  }
  /// Any thread: what is known already, nothing while it is being measured.
  std::optional<CostModel> known_already() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock.owns_lock() ? costs_ : std::nullopt;
  }
  /// Between runs: other costs stand for what is not measured, and what has been measured does not count.
  void renew(const CostModel& unmeasured, std::size_t alike_to) {
    const std::lock_guard lock(mutex_);
    unmeasured_ = unmeasured;
    alike_to_ = alike_to;
    costs_.reset();
  }
  /// Between runs: what is known already, or null.
  const CostModel* known() const { return costs_ ? &*costs_ : nullptr; }

 private:
  CostModel unmeasured_;
  std::size_t alike_to_;
  const std::function<CostModel()> measure_;
  std::mutex mutex_;
  std::optional<CostModel> costs_;  // not changed in a run once it is there
};

}  // namespace vnode
