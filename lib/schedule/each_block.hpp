#pragma once

#include <vnode/model/schedule.hpp>

namespace vnode {

/// Calls visit(what, into) for every block that a well-formed transfer moves, position by position.
template <class Visit>
void each_block(const Schedule& schedule, const Transfer& transfer, const Visit& visit) {
  auto into = schedule.intervals(transfer.into).begin();
  int taken = 0;
  for (const Interval& what : schedule.intervals(transfer.what))
    for (int block = what.first; block < what.last; ++block) {
      if (taken == into->size()) {
        ++into;
        taken = 0;
      }
      visit(block, into->first + taken++);
    }
}

/// Calls visit(block) for every block of the intervals.
template <class Intervals, class Visit>
void each_block(const Intervals& intervals, const Visit& visit) {
  for (const Interval& interval : intervals)
    for (int block = interval.first; block < interval.last; ++block) visit(block);
}

}  // namespace vnode
