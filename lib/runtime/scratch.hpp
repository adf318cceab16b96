#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/pause.hpp"

namespace vnode {

/// Lays out one node's scratch memory for a call: slots are taken and given back as versions of blocks come
/// and go, so the size is the peak of what lives at the same time.
class Scratch {
 public:
  /// The index of a free slot of at least `bytes`, on cache-line boundaries.
  std::size_t take(std::size_t bytes) {
    std::size_t best = slots_.size();
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].free && slots_[i].bytes >= bytes &&
          (best == slots_.size() || slots_[i].bytes < slots_[best].bytes))
        best = i;
    if (best == slots_.size()) {
      const std::size_t rounded =
          std::max<std::size_t>((bytes + cache_line - 1) / cache_line, 1) * cache_line;
      slots_.push_back({bytes_, rounded, false});
      bytes_ += rounded;
    }
    slots_[best].free = false;
    return best;
  }
  void give_back(std::size_t slot) { slots_[slot].free = true; }
  /// Whether take() would find a free slot instead of making one.
  bool has_free(std::size_t bytes) const {
    return std::ranges::any_of(slots_, [=](const Slot& slot) { return slot.free && slot.bytes >= bytes; });
  }

  std::size_t offset(std::size_t slot) const { return slots_[slot].offset; }
  std::size_t bytes(std::size_t slot) const { return slots_[slot].bytes; }
  /// The slot that `offset` lies in.
  std::size_t slot_at(std::size_t offset) const {
    const auto after = std::ranges::upper_bound(slots_, offset, {}, &Slot::offset);
    return static_cast<std::size_t>(after - slots_.begin()) - 1;
  }
  /// The size of the whole.
  std::size_t bytes() const { return bytes_; }

 private:
  struct Slot {
    std::size_t offset, bytes;
    bool free;
  };
  std::vector<Slot> slots_;  // ascending by offset
  std::size_t bytes_ = 0;
};

}
