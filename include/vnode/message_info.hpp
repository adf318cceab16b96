#pragma once

#include <cstddef>
#include <limits>

#include <vnode/element.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

// What stands where a rank or tag is expected is far from all of them, as no_rank is: a rank that is computed
// wrongly is none of these.

/// Is the source of a receive or probe that takes messages from all nodes of the group.
inline constexpr Rank any_source = std::numeric_limits<Rank>::min();
/// Is the tag of a receive or probe that takes messages with all tags.
inline constexpr int any_tag = std::numeric_limits<int>::min();

/// Tells what a receive or probe knows of a message. One from no_rank gives {no_rank, any_tag, 0}.
struct MessageInfo {
  Rank source = no_rank;  ///< the sender's rank in the group
  int tag = any_tag;      ///< the tag that the sender gave it
  std::size_t bytes = 0;  ///< of its elements

  /// Returns the number of its elements, if they are of type T.
  template <class T>
  constexpr std::size_t count() const {
    return bytes / element_type<T>.bytes;
  }
  friend bool operator==(const MessageInfo&, const MessageInfo&) = default;
};

}  // namespace vnode
#pragma GCC visibility pop
