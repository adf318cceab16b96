#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <vnode/layouts.hpp>

namespace vnode {

/// Describes `count` copies of a body, `stride` elements apart. The body is a block of elements that lie one
/// after the other or, if `length` is 0, a list of patterns.
struct Pattern {
  std::ptrdiff_t offset = 0;  ///< of the first copy
  std::size_t count = 1;
  std::ptrdiff_t stride = 0;
  std::size_t length = 0;  ///< of the block
  std::vector<Pattern> body;
  std::size_t each = 0;    ///< elements of the body
  std::size_t before = 0;  ///< elements of the patterns before this one in its list

  bool is_block() const { return body.empty(); }
  std::size_t elements() const { return count * each; }
};

/// Holds what a Layout says, in its shortest form: neighbouring blocks are one, loops that follow each other
/// are one. Whatever looks at it sees elements in the order in which they travel.
///
/// Invariant: no pattern is empty; a body that is a list is one of several patterns, or of one with several
/// copies.
struct LayoutForm {
  std::vector<Pattern> patterns;
  std::size_t count = 0;
  std::ptrdiff_t first = 0, last = 0;    // where elements are
  std::ptrdiff_t lower = 0, extent = 0;  // what repetitions go by
  /// Tells whether an element is picked twice, once somebody has asked. Relaxed: it follows from the rest
  /// alone.
  enum class Twice : std::uint8_t { unknown, never, somewhere };
  mutable std::atomic<Twice> twice{Twice::unknown};

  /// Repetitions go by [lower, upper).
  static Layout layout(std::vector<Pattern> patterns, std::ptrdiff_t lower, std::ptrdiff_t upper);

  bool contiguous() const {
    return patterns.empty() || (patterns.size() == 1 && patterns[0].is_block() && patterns[0].count == 1);
  }
};

/// Calls leaf(offset, length, count, stride), in the order in which elements travel, for the elements
/// [first, last) of a list of patterns that lies `offset` further on: `count` blocks of `length` elements
/// each.
template <class Leaf>
void each_row(const std::vector<Pattern>& list, std::ptrdiff_t offset, std::size_t first, std::size_t last,
              Leaf& leaf) {
  // Returns the last pattern that does not begin behind `first`.
  std::size_t low = 0, high = list.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (list[middle].before <= first ? low : high) = middle;
  }
  for (; low < list.size() && list[low].before < last; ++low) {
    const Pattern& pattern = list[low];
    std::size_t at = first > pattern.before ? first - pattern.before : 0;
    const std::size_t end =
        last - pattern.before < pattern.elements() ? last - pattern.before : pattern.elements();
    const std::ptrdiff_t begin = offset + pattern.offset;
    while (at < end) {
      const std::size_t copy = at / pattern.each, skipped = at % pattern.each;
      const std::ptrdiff_t here = begin + static_cast<std::ptrdiff_t>(copy) * pattern.stride;
      if (!pattern.is_block()) {
        const std::size_t now = pattern.each - skipped < end - at ? pattern.each - skipped : end - at;
        each_row(pattern.body, here, skipped, skipped + now, leaf);
        at += now;
      } else if (skipped == 0 && end - at >= pattern.length) {
        const std::size_t whole = (end - at) / pattern.length;
        leaf(here, pattern.length, whole, pattern.stride);
        at += whole * pattern.length;
      } else {
        const std::size_t now = pattern.each - skipped < end - at ? pattern.each - skipped : end - at;
        leaf(here + static_cast<std::ptrdiff_t>(skipped), now, std::size_t{1}, std::ptrdiff_t{0});
        at += now;
      }
    }
  }
}

}  // namespace vnode
