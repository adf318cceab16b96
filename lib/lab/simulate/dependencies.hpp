#pragma once

#include <span>
#include <vector>

#include <vnode/lab/schedule.hpp>

#include "simulate/versions.hpp"

namespace vnode {

/// A message, or all that one node combines in one round.
struct Task {
  int round = 0;
  Rank from = 0, to = 0;  ///< of a combining the same node
  long blocks = 0;        ///< the message's; or of all operands that come in

  bool combines() const { return from == to; }
};

/// What a schedule's messages wait for, by data alone.
///
/// A task is numbered in the order of the schedule: round by round its messages, as their first transfers
/// stand there, then its combinings, as their first messages stand. A message requires whatever made the
/// versions it reads, as of the state before its round. A combining requires the messages it gets its
/// operands from, and what made its node's own operands. A signal, a message without blocks, reads what its
/// sender knows and is combined with what its receiver knows.
class Dependencies {
 public:
  /// `after` requires `before`, which has a lower number.
  struct Requirement {
    int before, after;
  };

  /// UsageError if a transfer is not well formed: ranks or lengths, or a node that sends to itself.
  explicit Dependencies(const Schedule& schedule);

  const std::vector<Task>& tasks() const { return tasks_; }
  const std::vector<Requirement>& requirements() const { return requirements_; }

 private:
  void add(const Round& round);
  void check(const Transfer& transfer) const;
  bool is_combined(const Transfer& transfer) const {
    return transfer.effect != Effect::replace || schedule_.count(transfer.what) == 0;
  }
  std::span<const Interval> places(Blocks blocks) const;
  int combining_of(Rank node);
  void require_all(Rank node, Blocks blocks, int task);

  const Schedule& schedule_;
  Interval knowledge_;              // stands for no blocks
  std::vector<Versions> versions_;  // by node
  std::vector<Task> tasks_;
  std::vector<Requirement> requirements_;
  int round_ = 0;
  // Of the round that is added:
  int first_combining_ = 0;
  std::vector<int> combining_;  // by node: its last combining
  std::vector<int> task_of_;    // by transfer: its message
  std::vector<int> made_by_;    // the versions a task reads
};

}  // namespace vnode
