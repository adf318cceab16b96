#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <vnode/rank.hpp>

namespace vnode {

/// Holds a buffer of its own for each caller. Walking it evicts what the caller has in caches of about that
/// size, as a program does that computes between two calls.
class Eviction {
 public:
  /// Makes the buffers; with 0 bytes a walk does nothing. Throws SystemError if memory is refused.
  Eviction(int callers, std::size_t bytes);
  /// Reads and writes every line of the caller's buffer, whose pages are the caller's by the first walk.
  void walk(Rank caller);

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  const std::size_t bytes_;
  std::vector<std::unique_ptr<std::byte, Free>> buffers_;
};

}  // namespace vnode
