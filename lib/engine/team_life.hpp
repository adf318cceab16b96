#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/rank.hpp>
#include <vnode/team_options.hpp>

#include "base/at.hpp"
#include "base/pause.hpp"
#include "base/this_thread.hpp"

namespace vnode {

/// Holds the thread that is a node at the moment; null if none is: between runs, before the node's part of a
/// run begins, and after it. Only that thread changes it, so that a relaxed load tells it for sure whether it
/// is the node, and tells any other thread that it is not.
struct alignas(cache_line) NodeThread {
  std::atomic<ThreadId> id{nullptr};
  bool here() const {
    const ThreadId node = id.load(std::memory_order_relaxed);
    return node == thread_itself() || node == this_thread();  // most nodes are threads
  }
};

/// Tells at which stage of its life a team is. Objects that may outlive the team share it: groups, requests,
/// planned calls.
///
/// A run begins by changing the stage from `between_runs`, which the end of the run before it has stored: (a)
/// acquires what (b) released, so that runs follow each other whichever threads call them, and so does
/// whoever looks at the team between two runs. Nodes read the stage relaxed: Crew or Roster has published the
/// beginning of their run to them.
class TeamLife {
 public:
  enum class Stage : std::uint8_t {
    between_runs,
    in_run,  ///< of a team of callers: from when the first has joined until the last has left
    ended,
    of_parent,  ///< this process is a child of fork(): the team and its threads are the parent's
  };

  TeamLife(Threads threads, int nodes)
      : of_callers_(threads == Threads::callers), threads_(static_cast<std::size_t>(nodes)) {}

  bool of_callers() const { return of_callers_; }
  bool in_run() const { return stage_.load(std::memory_order_relaxed) == Stage::in_run; }
  bool of_parent() const { return stage_.load(std::memory_order_relaxed) == Stage::of_parent; }
  /// Returns the number of the newest run.
  std::uint64_t run() const { return run_.load(std::memory_order_relaxed); }

  /// Throws UsageError unless the team is between two runs.
  void begin_run();
  void end_run() noexcept;
  /// Throws UsageError unless the team is between two runs; `function` is what the user has called,
  /// "trace()".
  void check_between_runs(std::string_view function) const;
  /// Throws UsageError if the team is the parent's.
  void check_own() const;
  /// Throws UsageError if the threads of the team are not `threads`.
  void check_threads(Threads threads) const;

  /// Makes the calling thread the node from now on.
  void begin_node(Rank rank) { at(threads_, rank).id.store(this_thread(), std::memory_order_relaxed); }
  void end_node(Rank rank) { at(threads_, rank).id.store(nullptr, std::memory_order_relaxed); }
  /// Returns the entry of the node's thread, whose address does not change.
  const NodeThread& thread(Rank rank) const { return at(threads_, rank); }
  /// Throws the UsageError of a call of `node` on another thread than its own.
  [[noreturn]] void refuse_call(Rank node) const;

  /// Returns how many planned calls (Persistent) are held, by any threads.
  int planned_calls() const { return planned_calls_.load(std::memory_order_relaxed); }

  /// Ends the team. Returns false if it cannot end, since a run is on or it is the parent's; true again if it
  /// has ended already.
  bool end() noexcept;
  /// Ends the team, unless it is the parent's. Throws UsageError while a run is on, as check_between_runs()
  /// does.
  void end_between_runs(std::string_view function);
  /// Marks the team as the parent's, in a child of fork().
  void inherit() noexcept;

 private:
  friend class HeldCall;
  const bool of_callers_;
  std::atomic<Stage> stage_{Stage::between_runs};
  std::atomic<std::uint64_t> run_{0};
  std::vector<NodeThread> threads_;  // by rank
  // Relaxed: a node that plans calls does so within a run, before whose end all that it does is published.
  mutable std::atomic<int> planned_calls_{0};
};

/// Counts a planned call for as long as it lives.
class HeldCall {
 public:
  explicit HeldCall(std::shared_ptr<const TeamLife> life) : life_(std::move(life)) {
    life_->planned_calls_.fetch_add(1, std::memory_order_relaxed);
  }
  ~HeldCall() { life_->planned_calls_.fetch_sub(1, std::memory_order_relaxed); }
  HeldCall(const HeldCall&) = delete;
  HeldCall& operator=(const HeldCall&) = delete;

 private:
  std::shared_ptr<const TeamLife> life_;
};

/// Begins a run, and ends it at its own end.
class RunOfTeam {
 public:
  /// Throws UsageError unless the team is between two runs.
  explicit RunOfTeam(TeamLife& life) : life_(life) { life_.begin_run(); }
  ~RunOfTeam() { life_.end_run(); }
  RunOfTeam(const RunOfTeam&) = delete;
  RunOfTeam& operator=(const RunOfTeam&) = delete;

 private:
  TeamLife& life_;
};

}  // namespace vnode
