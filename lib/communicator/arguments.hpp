#pragma once

#include <cstddef>
#include <vector>

#include <vnode/call.hpp>
#include <vnode/layouts.hpp>
#include <vnode/rank.hpp>

#include "communicator/plan_cache.hpp"

namespace vnode {

/// A call whose arguments make sense.
struct CheckedCall {
  CallKey key;  ///< looks at the arguments
  /// Is this node's part of a block, in bytes, where every rank has another count.
  struct Part {
    std::size_t offset, bytes;
  };
  std::vector<Part> input_parts, output_parts;
  bool overwrites = false;  ///< what arrives in these parts overwrites what is sent from them
};

/// Throws UsageError with a sentence that says what is wrong with the arguments, as node `me` of `nodes` sees
/// them.
CheckedCall checked(const Arguments& call, Rank me, int nodes);

/// Whether two ranges of bytes have some in common.
bool overlap(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes);

/// Throws UsageError unless `rank` is one of `nodes`; `what` it is: "root", "sender".
void check_rank(const char* what, Rank rank, int nodes, const char* or_else = "");

/// Throws UsageError if what is received into has an element twice.
void check_once(const char* operation, const Buffer& data);

}
