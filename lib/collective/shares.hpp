#pragma once

#include <vnode/collective.hpp>

namespace vnode {

/// Returns into how many equal shares a collective divides the blocks of a schedule, as far as that is the
/// same for all schedules.
constexpr long shares(Collective collective, long nodes) {
  switch (collective) {
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::scatter:
    case Collective::gather:
    case Collective::circular_shift:
      return nodes;
    case Collective::all_to_all:
      return nodes * nodes;
    default:
      return 1;
  }
}

}  // namespace vnode
