#pragma once

#include <atomic>
#include <cstdint>

#include "base/pause.hpp"

namespace vnode {

/// Where all nodes of a call meet: each counts itself, and the last to come releases all. Where nodes share
/// cores this takes one turn of each, however they are scheduled.
///
/// Invariant: `arrivals_` counts those of the newest call only, because all come to the calls' meetings in
/// one order, none can come to the next before this one has been released, and none is released before all
/// have come.
class Rendezvous {
 public:
  /// Counts the caller; true for the last of `nodes`, who must release().
  bool arrive(std::uint32_t nodes) {
    return arrivals_.fetch_add(1, std::memory_order_acq_rel) + 1 ==
           nodes;  // (a) the last has seen what all did before
  }
  /// `token` stands for the call and is never used again.
  void release(std::uint64_t token) {
    arrivals_.store(0, std::memory_order_relaxed);      // seen by all who see (b)
    released_.store(token, std::memory_order_release);  // (b) passes on what (a) has gathered
  }
  bool released(std::uint64_t token) const {
    return released_.load(std::memory_order_acquire) == token;  // pairs with (b)
  }
  /// The word that release() changes.
  const std::atomic<std::uint64_t>* watch() const { return &released_; }

  /// Nobody is using it: forgets all arrivals.
  void clear() {
    arrivals_.store(0, std::memory_order_relaxed);
    released_.store(0, std::memory_order_relaxed);
  }

 private:
  alignas(cache_line) std::atomic<std::uint32_t> arrivals_{0};
  alignas(cache_line) std::atomic<std::uint64_t> released_{0};
};

}
