#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/copy.hpp"

namespace vnode {

/// The n-ary combine of one segment after the other, with room for what has been combined so far.
class NaryCombine {
 public:
  /// `canonical`: as a tree, lowest bit first, ((0 1)(2 3))(4 5); else from left to right. `bytes` at a time,
  /// at most.
  NaryCombine(const Work& work, bool canonical, std::size_t bytes)
      : work_(work), canonical_(canonical), bytes_(bytes) {}

  /// into = operands[0] op operands[1] op ...; `into` may be one of the operands, but overlaps no other.
  void apply(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes);

 private:
  struct alignas(cache_line) Line {
    std::byte bytes[cache_line];
  };
  struct Partial {
    const std::byte* value;
    std::byte* room;  // its own, or null: an operand
    int level;
  };
  void from_left(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes);
  void as_tree(std::byte* into, std::span<const std::byte* const> operands, std::size_t bytes);
  std::byte* take_room();
  void join_last(std::vector<Partial>& partials, std::byte* into, std::size_t bytes);

  const Work& work_;
  bool canonical_;
  std::size_t bytes_;
  std::vector<std::unique_ptr<Line[]>> rooms_;
  std::vector<std::byte*> free_;
  std::vector<Partial> partials_;
};

}
