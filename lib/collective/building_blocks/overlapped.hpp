#pragma once

#include <vector>

#include <vnode/lab/cost.hpp>
#include <vnode/lab/schedule.hpp>

#include "collective/building_blocks/phases.hpp"

namespace vnode {

/// Counts what it takes to begin a segment's schedule anew for the next segment as soon as no node's port is
/// in the way, every `period` rounds, from the messages of one segment.
class Overlap {
 public:
  /// Takes the messages of one segment, of whose pieces `message_pieces` make m. Cost: O(messages + nodes *
  /// rounds^2).
  Overlap(Tally segment, int message_pieces);

  int rounds_of_segment() const { return static_cast<int>(segment_.rounds.size()); }
  int period() const { return period_; }
  int messages_of_segment() const { return messages_; }

  /// Return what so many segments take.
  int rounds(int segments) const;
  int transfers(int segments) const { return messages_ * segments; }
  Cost cost(int segments) const;
  bool peers(int segments, int round, Rank from, Rank to) const;

 private:
  Tally segment_;
  int message_pieces_;
  int period_ = 1;
  int messages_ = 0;
  std::vector<long> largest_, received_, combined_;  // by round of the segment, in pieces
};

/// Returns `segment` for so many segments. Those of a block lie side by side.
Schedule overlapped(const Schedule& segment, int segments, int period);

}  // namespace vnode
