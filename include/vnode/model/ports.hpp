#pragma once

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Names the port model: how many messages a node may send and receive in one round.
enum class Ports {
  single,  ///< one out and one in
  all,     ///< one out and one in per link
};

/// Says whether the two directions of a link are independent of each other.
enum class Duplex {
  full,  ///< they are; a single port sends and receives at the same time
  half,  ///< a link carries one message at a time; a single port sends or receives
};

}  // namespace vnode
#pragma GCC visibility pop
