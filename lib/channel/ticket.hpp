#pragma once

#include <atomic>
#include <cstdint>

#include "base/pause.hpp"

namespace vnode {

/// A word in which the other end says that it is done with the memory that this end exposed: it stores the
/// token of the movement, which is never used again. So nobody needs to clear the cell: a store to a line
/// that the other end has written last would hold up all later stores.
struct alignas(cache_line) Cell {
  std::atomic<std::uint64_t> done{0};
};

/// Holds what an end that exposes memory tells the other: the cell to store the token in when it is done.
struct Ticket {
  Cell* cell = nullptr;
  std::uint64_t token = 0;
};

}  // namespace vnode
