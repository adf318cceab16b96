#include "collective/building_blocks/segment.hpp"

#include <vnode/lab/compose.hpp>

#include "collective/building_blocks/level.hpp"

namespace vnode {

Schedule Segment::schedule() const {
  const Schedule forwards = phases.schedule();
  switch (played) {
    case Played::as_they_are:
      return forwards;
    case Played::sided:
      return compose::sided(forwards);
    case Played::backwards:
      return compose::reversed(forwards);
    case Played::dual:
      return compose::dual(forwards);
    case Played::in_order:
      break;
  }
  if (auto in_order = compose::dual_in_order(forwards)) return *std::move(in_order);
  throw UsageError(needs_order);
}

Tally Segment::tally() const {
  const Tally forwards = phases.tally();
  if (played == Played::as_they_are || played == Played::sided) return forwards;
  return forwards.backwards(played != Played::backwards);
}

}  // namespace vnode
