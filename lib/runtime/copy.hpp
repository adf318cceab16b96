#pragma once

#include <algorithm>
#include <cstddef>

#include <vnode/operator.hpp>

#include "runtime/arena_help.hpp"
#include "runtime/fabric.hpp"
#include "runtime/plan.hpp"

namespace vnode {

/// Bytes that are copied or combined between two looks at the abort, and that stay in a core's cache between
/// two operations on them.
inline constexpr std::size_t segment_bytes = 32 << 10;

/// The same for results that are passed on at once: they and their operands stay in the nearest cache.
inline constexpr std::size_t forwarded_bytes = 8 << 10;

/// The bytes of whole elements in a segment.
constexpr std::size_t segment_of(std::size_t element_bytes, std::size_t segment = segment_bytes) {
  return element_bytes >= segment ? element_bytes : segment / element_bytes * element_bytes;
}

/// What a movement does with bytes [first, last) of its message, for one part. `reduction` may be null where
/// nothing is combined.
struct Work {
  Fabric& fabric;
  const ArenaHelp& help;
  const Reduction* reduction;
  std::size_t element_bytes;

  /// into = theirs, or own op theirs, or theirs op own, in segments. Throws Aborted between two of them.
  void apply(Effect effect, std::byte* into, const std::byte* own, const std::byte* theirs,
             std::size_t bytes) const;
  /// Whether the arena takes part in so much of this: the segments are the same, and so are all bits.
  bool has_help(Effect effect, std::size_t bytes) const {
    return help.arena != nullptr && bytes >= help.from && bytes > segment_bytes &&
           (effect == Effect::replace || reduction->parallel);
  }
  /// With help: body(first, last) for parts of so many bytes, each of whole segments but the last.
  template <class Body>
  void divide(std::size_t bytes, std::size_t segment, const Body& body) const {
    help.arena->parallel_for(0, (bytes + segment - 1) / segment, [&](std::size_t first, std::size_t last) {
      body(first * segment, std::min(last * segment, bytes));
    });
  }

 private:
  void apply_alone(Effect effect, std::byte* into, const std::byte* own, const std::byte* theirs,
                   std::size_t bytes) const;
};

}
