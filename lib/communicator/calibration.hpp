#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include <vnode/lab/cost.hpp>

namespace vnode {

class Member;

/// Measures what messages and combining cost, in a millisecond or two. Called by both nodes of a group of
/// two; what node 0 returns counts.
CostModel calibrated(Member& member);

/// The costs of a team's messages. Most calls need none: they are measured when they are asked for.
class Costs {
 public:
  explicit Costs(std::function<CostModel()> measure) : measure_(std::move(measure)) {}

  /// What measure() returns, or has returned. Any thread may ask; all get the same.
  const CostModel& get() {
    const std::lock_guard lock(mutex_);
    if (!costs_) costs_ = measure_();
    return *costs_;
  }
  /// Between runs: what is known already, or null.
  const CostModel* known() const { return costs_ ? &*costs_ : nullptr; }

 private:
  const std::function<CostModel()> measure_;
  std::mutex mutex_;
  std::optional<CostModel> costs_;  // never changed once it is there
};

}  // namespace vnode
