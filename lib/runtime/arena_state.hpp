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
  /// `pus`: os indices.
  EntryPins(oneapi::tbb::task_arena& arena, std::vector<int> pus);
  ~EntryPins() override;

  void on_scheduler_entry(bool is_worker) override;
  void on_scheduler_exit(bool is_worker) override;

  /// How many times a thread was pinned.
  std::size_t count() const { return count_.load(std::memory_order_relaxed); }
  /// What the system said when it refused; empty if it never did.
  std::string refusal() const;

 private:
  /// Pins the calling thread; null, and refusal(), if the system refuses.
  std::unique_ptr<PinnedThread> pinned(bool is_worker);

  const std::vector<int> pus_;
  const std::vector<int> outside_;  // what workers may use elsewhere: nodes start some
  mutable std::mutex mutex_;        // guards the two below
  /// By thread: its entries from the first that pinned it on, the newest last; null, where one did not.
  std::multimap<std::thread::id, std::unique_ptr<PinnedThread>> inside_;
  std::string refusal_;
  std::atomic<std::size_t> count_{0};  // a statistic: nothing is published by it
};

struct Arena::State {
  /// The node's share of its domain, as indices into Machine::pus; and the PUs that all but the node are
  /// pinned to, by os index, none: anywhere.
  State(std::vector<int> share, std::vector<int> pinned_to);

  std::vector<int> pus;
  oneapi::tbb::task_arena arena;
  std::unique_ptr<EntryPins> pins;  // null: anywhere
};

}  // namespace vnode
