#pragma once

#include <vector>

#include <vnode/cost.hpp>
#include <vnode/schedule.hpp>

namespace vnode {

/// A schedule for one segment of a message, begun anew for the next segment as soon as no node's port is in
/// the way: every `period` rounds. The segments of a block lie side by side.
class Overlapped {
 public:
  /// `message_blocks` of the segment's blocks make m. O(transfers + nodes * rounds^2).
  Overlapped(Schedule segment, int message_blocks);

  int rounds_of_segment() const { return static_cast<int>(segment_.rounds().size()); }
  int period() const { return period_; }
  int messages_of_segment() const { return messages_; }

  /// For so many segments.
  int rounds(int segments) const;
  int transfers(int segments) const { return messages_ * segments; }
  Cost cost(int segments) const;
  bool peers(int segments, int round, Rank from, Rank to) const;
  Schedule schedule(int segments) const;

 private:
  Schedule segment_;
  int message_blocks_;
  int period_ = 1;
  int messages_ = 0;
  std::vector<long> largest_, received_, combined_;  // by round of the segment, in blocks
};

}  // namespace vnode
