#include "record/deadlock_detector.hpp"

#include <algorithm>

namespace vnode {

/// Changes the count and begins an epoch, in which nobody has confirmed.
std::uint64_t DeadlockDetector::count(std::uint64_t change) {
  std::uint64_t word = word_.load(std::memory_order_relaxed), next = 0;
  do {
    next = word - confirmed(word) + change + one_epoch;
    // (a) Release: what the node has written for others; acquire: what the nodes that are counted already
    // have written.
  } while (!word_.compare_exchange_weak(word, next, std::memory_order_acq_rel, std::memory_order_relaxed));
  return next;
}

DeadlockDetector::Answer DeadlockDetector::confirm(Epoch of) {
  // Acquire: pairs with (e). If it counts nodes that have left after this epoch, the epoch is seen to be over
  // below.
  const std::uint64_t left = left_.load(std::memory_order_acquire);
  std::uint64_t word = word_.load(std::memory_order_relaxed);
  do {
    if (epoch(word) != of) return {Answer::changed, 0};
    // (c) Release: the look and the remark are done; acquire: so are those of the nodes that have confirmed
    // before.
  } while (!word_.compare_exchange_weak(word, word + one_confirmed, std::memory_order_acq_rel,
                                        std::memory_order_relaxed));
  const std::uint64_t all = confirmed(word) + 1;
  return {all == nodes_ - left ? Answer::certain : Answer::noted, static_cast<int>(all)};
}

void DeadlockDetector::reset() {
  word_.store(0, std::memory_order_relaxed);
  left_.store(0, std::memory_order_relaxed);
  pronounced_.store(false, std::memory_order_relaxed);
  std::ranges::fill(remarks_, std::string());
}

}  // namespace vnode
