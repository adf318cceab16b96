#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace vnode {

/// Where a team is in its life. What may outlive the team shares it: groups, requests, planned calls.
///
/// A run begins by changing the stage from `between_runs`, which the end of the run before it has stored: (a)
/// acquires what (b) released, so that runs follow each other whichever threads call them, and so does
/// whoever looks at the team between two runs. Nodes read the stage relaxed: Crew has published the beginning
/// of their run to them.
class TeamLife {
 public:
  enum class Stage : std::uint8_t {
    between_runs,
    in_run,
    ended,
    of_parent,  ///< this process is a child of fork(): the team and its threads are the parent's
  };

  bool in_run() const { return stage_.load(std::memory_order_relaxed) == Stage::in_run; }
  bool of_parent() const { return stage_.load(std::memory_order_relaxed) == Stage::of_parent; }
  /// The number of the newest run.
  std::uint64_t run() const { return run_.load(std::memory_order_relaxed); }

  /// Throws UsageError unless the team is between two runs.
  void begin_run();
  void end_run() noexcept;
  /// Throws UsageError unless the team is between two runs; `function` is what the user has called,
  /// "trace()".
  void check_between_runs(std::string_view function) const;
  /// For what a node calls: throws UsageError unless a run is on.
  void check_in_run() const {
    if (!in_run()) [[unlikely]]
      refuse_call();
  }
  /// False if the team cannot end: a run is on, or it is the parent's.
  bool end() noexcept;
  /// In a child of fork().
  void inherit() noexcept { stage_.store(Stage::of_parent, std::memory_order_relaxed); }

 private:
  [[noreturn]] void refuse_call() const;

  std::atomic<Stage> stage_{Stage::between_runs};
  std::atomic<std::uint64_t> run_{0};
};

/// A run, for as long as it lives.
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
