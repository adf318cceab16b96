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
  EmptyPlaces(const Schedule& schedule, const Volume& volume)
      : schedule_(schedule),
        blocks_(volume.empty_blocks),
        filled_(static_cast<std::size_t>(schedule.nodes()),
                std::vector<bool>(static_cast<std::size_t>(blocks_))) {}

  /// Returns the blocks of a transfer that are combined with what is there, and fills their places. Transfers
  /// are taken in their order.
  long combined(const Transfer& transfer) {
    const bool replaces = transfer.effect == Effect::replace;
    long blocks = replaces ? 0 : schedule_.count(transfer.into);
    if (blocks_ == 0) return blocks;
    std::vector<bool>& filled = at(filled_, transfer.to);
    for (const Interval& places : schedule_.intervals(transfer.into))
      for (int block = places.first; block < std::min(places.last, blocks_); ++block) {
        if (!replaces && !at(filled, block)) --blocks;
        filled[static_cast<std::size_t>(block)] = true;
      }
    return blocks;
  }

 private:
  const Schedule& schedule_;
  int blocks_;
  std::vector<std::vector<bool>> filled_;  // by node, by block
};

}  // namespace vnode
