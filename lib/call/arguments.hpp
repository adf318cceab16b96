#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <vnode/call.hpp>
#include <vnode/layouts.hpp>
#include <vnode/rank.hpp>

#include "select/plan_cache.hpp"

namespace vnode {

/// Holds a call whose arguments have been checked.
struct CheckedCall {
  CallKey key;  ///< refers to the arguments
  /// Describes this node's part of a buffer, in bytes, where counts differ between ranks.
  struct Part {
    std::size_t offset, bytes;
  };
  std::vector<Part> input_parts, output_parts;
  bool overwrites = false;  ///< output parts overlap input parts
};

/// Returns the call with its key and parts. Throws UsageError with a sentence that says what is wrong with
/// the arguments, as node `me` of `nodes` sees them.
CheckedCall checked(const Arguments& call, Rank me, int nodes);

/// Tells whether two ranges of bytes overlap.
bool overlap(const std::byte* a, std::size_t a_bytes, const std::byte* b, std::size_t b_bytes);

/// Throws UsageError unless `rank` is one of `nodes`; the message calls it `what`: "root" or "sender".
void check_rank(const char* what, Rank rank, int nodes, const char* or_else = "");

/// Throws UsageError if the layout of a receive buffer picks an element twice.
void check_once(std::string_view operation, const Buffer& data);

}
