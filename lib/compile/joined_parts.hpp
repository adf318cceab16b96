#pragma once

#include <cstdint>
#include <vector>

#include "compile/plan.hpp"
#include "compile/scratch.hpp"

namespace vnode {

// These functions make lists of parts in which parts that follow each other in memory are joined.

inline bool goes_on(const Spot& a, std::size_t bytes, const Spot& b) {
  return a.place == b.place && a.offset + bytes == b.offset;
}

/// Adds a part to those of a message, which begin at index `first`; joins it to the last one if it goes on
/// where that ends. A part without bytes is not added.
inline void append(std::vector<Source>& sources, std::uint32_t first, const Source& part) {
  if (part.bytes == 0) return;
  if (sources.size() > first)
    if (Source& last = sources.back(); goes_on(last.theirs, last.bytes, part.theirs)) {
      last.bytes += part.bytes;
      return;
    }
  sources.push_back(part);
}
inline void append(std::vector<Piece>& pieces, std::uint32_t first, const Piece& part) {
  if (part.bytes == 0) return;
  if (pieces.size() > first)
    if (Piece& last = pieces.back(); last.effect == part.effect && last.at + last.bytes == part.at &&
                                     goes_on(last.own, last.bytes, part.own) &&
                                     goes_on(last.into, last.bytes, part.into)) {
      last.bytes += part.bytes;
      return;
    }
  pieces.push_back(part);
}

/// Adds a stretch that may be read; joins it to the last one if it begins where that ends.
inline void append(std::vector<Scratch::Stretch>& stretches, const Scratch::Stretch& next) {
  if (!stretches.empty() && stretches.back().last == next.first)
    stretches.back().last = next.last;
  else
    stretches.push_back(next);
}

}  // namespace vnode
