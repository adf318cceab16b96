#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/model/schedule.hpp>

#include "simulate/empty_places.hpp"

namespace vnode {

/// Tells which task made the contents of a node's blocks. Neighbouring blocks of one version are one piece,
/// so that memory grows with the pieces and not with the blocks.
class Versions {
 public:
  static constexpr int initial = -1;  ///< made by nobody: there from the beginning

  /// Calls visit(version) for every piece of the blocks first .. last-1. O(log pieces) and the visits.
  template <class Visit>
  void visit(int first, int last, const Visit& visit) const {
    auto piece = starting_after(first);
    if (piece == pieces_.begin())
      visit(initial);
    else
      --piece;
    for (; piece != pieces_.end() && piece->first < last; ++piece) visit(piece->version);
  }

  /// Lets the blocks first .. last-1 hold `version` from now on.
  void assign(int first, int last, int version) {
    const auto from = std::ranges::lower_bound(pieces_, first, {}, &Piece::first);
    const auto to = std::ranges::lower_bound(from, pieces_.end(), last, {}, &Piece::first);
    const int after = to == pieces_.begin() ? initial : std::prev(to)->version;
    const bool begins_there = to != pieces_.end() && to->first == last;
    const auto at = pieces_.erase(from, to);
    const Piece pieces[] = {{first, version}, {last, after}};
    pieces_.insert(at, pieces, pieces + (begins_there ? 1 : 2));
  }

 private:
  struct Piece {
    int first;  // it ends where the next one begins
    int version;
  };

  std::vector<Piece>::const_iterator starting_after(int block) const {
    return std::ranges::upper_bound(pieces_, block, {}, &Piece::first);
  }

  std::vector<Piece> pieces_;  // ascending; before the first one all is initial
};

/// A task is a message, or all that one node combines in one round.
struct Task {
  int round = 0;
  Rank from = 0, to = 0;  ///< of a combining the same node
  long blocks = 0;  ///< of the message; or of all operands that are combined, not put into an empty place
  long shared = 0;  ///< of these, the blocks on which both ends of a message work

  bool combines() const { return from == to; }
};

/// Says what a schedule's messages wait for, by data alone.
///
/// A task is numbered in the order of the schedule: round by round its messages, as their first transfers
/// stand there, then its combinings, as their first messages stand. A message requires whatever made the
/// versions it reads, as of the state before its round. A combining requires the messages it gets its
/// operands from, and what made its node's own operands. A signal, a message without blocks, reads what its
/// sender knows and is combined with what its receiver knows.
class Dependencies {
 public:
  /// Says that `after` requires `before`, which has a lower number.
  struct Requirement {
    int before, after;
  };

  /// Both ends work on messages of `shared_from` bytes or more whose senders do nothing else in the round; if
  /// it is not given, on none. Throws UsageError if a transfer is not well formed: if ranks or lengths are
  /// wrong, or a node sends to itself.
  Dependencies(const Schedule& schedule, const Volume& volume, std::optional<double> shared_from = {});

  const std::vector<Task>& tasks() const { return tasks_; }
  const std::vector<Requirement>& requirements() const { return requirements_; }

 private:
  void add(const Round& round);
  void share(const Round& round);
  void check(const Transfer& transfer) const;
  bool is_combined(const Transfer& transfer) const {
    return transfer.effect != Effect::replace || schedule_.count(transfer.what) == 0;
  }
  std::span<const Interval> places(Blocks blocks) const;
  int combining_of(Rank node);
  void require_all(Rank node, Blocks blocks, int task);

  const Schedule& schedule_;
  const Volume& volume_;
  std::optional<double> shared_from_;  // bytes
  EmptyPlaces empty_;
  Interval knowledge_;              // stands for no blocks
  std::vector<Versions> versions_;  // by node
  std::vector<Task> tasks_;
  std::vector<Requirement> requirements_;
  int round_ = 0;
  // State of the round that is added:
  int first_combining_ = 0;
  std::vector<int> combining_;  // by node: its last combining
  std::vector<int> task_of_;    // by transfer: its message
  std::vector<int> made_by_;    // the versions a task reads
};

}  // namespace vnode
