#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include <vnode/model/cost.hpp>
#include <vnode/model/profile.hpp>

namespace vnode {

/// Holds the costs of a team's messages, and the profile of its machine. Most calls do not need them, so they
/// are measured, or read, when somebody asks for them.
class Costs {
 public:
  /// Uses `unmeasured` in place of what measure() would return until somebody asks for it. Messages of up to
  /// `alike_to` bytes travel the same way by both.
  Costs(
      const CostModel& unmeasured, std::size_t alike_to, std::function<CostModel()> measure,
      std::function<ProfileChoice()> read = [] { return ProfileChoice(); })
      : unmeasured_(unmeasured), alike_to_(alike_to), measure_(std::move(measure)), read_(std::move(read)) {}

  /// Returns the measured costs, and measures them the first time. Any thread may call it; all get the same
  /// costs.
  const CostModel& get() {
    const std::lock_guard lock(mutex_);
    if (!costs_) costs_ = measure_();
    return *costs_;
  }
  /// Returns the costs for a call whose messages have at most so many bytes. They are measured if the choice
  /// of the algorithm is `open`, or if the way of the messages depends on them. So their way does not depend
  /// on whether a node names the algorithm.
  const CostModel& of_call(bool open, std::size_t bytes) {
    return open || bytes > alike_to_ ? get() : unmeasured_;
  }
  /// Returns the costs if they are known already, and nothing while they are being measured. Any thread may
  /// call it.
  std::optional<CostModel> known_already() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock.owns_lock() ? costs_ : std::nullopt;
  }
  /// Returns the profile, and reads it the first time. Any thread may call it; all get the same one.
  const ProfileChoice& profile() {
    const std::lock_guard lock(mutex_);
    if (!profile_) profile_ = read_();
    return *profile_;
  }
  /// Returns the measured times by which algorithms are chosen.
  std::span<const TunedPoint> tuned() {
    const ProfileChoice& read = profile();
    return read.profile ? std::span<const TunedPoint>(read.profile->tuned) : std::span<const TunedPoint>();
  }
  /// Sets other unmeasured costs and forgets what has been measured. Called between runs.
  void renew(const CostModel& unmeasured, std::size_t alike_to) {
    const std::lock_guard lock(mutex_);
    unmeasured_ = unmeasured;
    alike_to_ = alike_to;
    costs_.reset();
  }
  /// Returns the measured costs, or null if there are none yet. Called between runs.
  const CostModel* known() const { return costs_ ? &*costs_ : nullptr; }
  /// Returns the profile, or null if it has not been read yet. Called between runs.
  const ProfileChoice* known_profile() const { return profile_ ? &*profile_ : nullptr; }

 private:
  CostModel unmeasured_;
  std::size_t alike_to_;
  const std::function<CostModel()> measure_;
  std::mutex mutex_;
  const std::function<ProfileChoice()> read_;
  std::optional<CostModel> costs_;  // not changed in a run once it is there
  std::optional<ProfileChoice> profile_;
};

}  // namespace vnode
