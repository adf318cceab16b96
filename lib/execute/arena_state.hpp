#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_scheduler_observer.h>
#include <string>
#include <thread>
#include <vector>

#include <vnode/arena.hpp>

#include "machine/binding.hpp"

namespace vnode {

/// Pins threads that enter an arena to some PUs, and gives them their affinity back when they leave or the
/// arena ends. Threads that are pinned already, as nodes are, stay where they are. oneTBB's own constraints
/// of an arena need one of its libraries that may not be there, and say nothing if it is not.
class EntryPins : public oneapi::tbb::task_scheduler_observer {
 public:
  /// Pins threads that enter `arena` to `pus`, which are os indices.
  EntryPins(oneapi::tbb::task_arena& arena, std::vector<int> pus);
  ~EntryPins() override;

  void on_scheduler_entry(bool is_worker) override;
  void on_scheduler_exit(bool is_worker) override;

  /// Returns how many times a thread was pinned.
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }
  /// Returns what the system said when it refused; empty if it never did.
  std::string refusal() const;

 private:
  /// Pins the calling thread. If the system refuses, returns null and notes the refusal().
  std::unique_ptr<PinnedThread> pinned(bool is_worker);

  const std::vector<int> pus_;
  const std::vector<int> outside_;  // the PUs that workers may use elsewhere: nodes start some workers
  mutable std::mutex mutex_;        // guards the two below
  /// By thread, its entries from the first one that pinned it on, the newest last; null for an entry that did
  /// not pin it.
  std::multimap<std::thread::id, std::unique_ptr<PinnedThread>> inside_;
  std::string refusal_;
  std::atomic<std::size_t> count_{0};  // a statistic: nothing is published by it
};

struct Arena::State {
  /// `share` is the node's share of its domain, as indices into Machine::pus; `pinned_to` are the os indices
  /// of the PUs that all threads but the node's are pinned to, or empty if these may run anywhere.
  State(std::vector<int> share, std::vector<int> pinned_to);

  std::vector<int> pus;
  oneapi::tbb::task_arena arena;
  std::unique_ptr<EntryPins> pins;  // null: threads run anywhere
};

}  // namespace vnode
