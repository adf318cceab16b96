#pragma once

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns the binary-reflected Gray code of `position` >= 0: successors differ in one bit, and so do the
/// first and the last of 2^d. For d bits it is a permutation of 0 .. 2^d-1.
constexpr int gray_encode(int position) { return position ^ (position >> 1); }

/// Returns the position whose code is `code` >= 0. O(log of the number of bits).
constexpr int gray_decode(int code) {
  for (int shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
  return code;
}

}  // namespace vnode
#pragma GCC visibility pop
