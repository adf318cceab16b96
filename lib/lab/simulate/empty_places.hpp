#pragma once

#include <algorithm>
#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/model/schedule.hpp>

#include "base/at.hpp"

namespace vnode {

/// Knows the places of a run that hold nothing yet: what is combined into such a place first is only put
/// there, and costs nothing.
class EmptyPlaces {
 public:
  EmptyPlaces(const Schedule& schedule, const Volume& volume) : schedule_(schedule) {
    for (const int empty : volume.empty_blocks) filled_.emplace_back(static_cast<std::size_t>(empty));
  }

  /// Returns the blocks of a transfer that are combined with what is there, and fills their places. Transfers
  /// are taken in their order.
  long combined(const Transfer& transfer) {
    const bool replaces = transfer.effect == Effect::replace;
    long blocks = replaces ? 0 : schedule_.count(transfer.into);
    if (filled_.empty()) return blocks;
    std::vector<bool>& filled = at(filled_, transfer.to);
    const auto empty = static_cast<int>(filled.size());
    for (const Interval& places : schedule_.intervals(transfer.into))
      for (int block = places.first; block < std::min(places.last, empty); ++block) {
        if (!replaces && !at(filled, block)) --blocks;
        filled[static_cast<std::size_t>(block)] = true;
      }
    return blocks;
  }

 private:
  const Schedule& schedule_;
  std::vector<std::vector<bool>> filled_;  // by node, by block that is empty at first
};

}  // namespace vnode
