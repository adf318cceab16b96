#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/pause.hpp"

namespace vnode {

/// Lays out one node's scratch memory for a call: stretches are taken and given back as versions of blocks
/// come and go. What is taken together lies together if there is room: a message of many blocks is then one
/// piece. Holes are filled if that does not cut it into shorter pieces than it takes time to look at.
class Scratch {
 public:
  struct Stretch {
    std::size_t first = 0, last = 0;
    bool overlaps(const Stretch& other) const { return first < other.last && other.first < last; }
  };
  /// Describes the room of one block.
  struct Room {
    std::size_t bytes = 0, offset = 0;
  };

  /// Sets the offsets of rooms, one after the other. The first in each hole, and in new memory, is on a cache
  /// line's boundary.
  void take(std::span<Room> rooms);
  /// Returns whether take() would find holes for all of them.
  bool has_free(std::span<const Room> rooms) const;
  /// Returns the size of the shortest hole that is filled with a part of them.
  static std::size_t shortest_hole(std::span<const Room> rooms);
  void give_back(std::span<const Stretch> stretches);

  /// Returns the size of the whole scratch memory.
  std::size_t bytes() const { return whole_lines(end_); }

 private:
  static std::size_t whole_lines(std::size_t bytes) {
    return (bytes + cache_line - 1) / cache_line * cache_line;
  }
  static std::size_t usable(const Stretch& hole) {
    return hole.last - std::min(whole_lines(hole.first), hole.last);
  }
  std::vector<Stretch> holes_;  // in ascending order, not touching each other
  std::size_t end_ = 0;
};
/// Sorts stretches, and joins those that touch each other.
void join(std::vector<Scratch::Stretch>& stretches);

}  // namespace vnode
