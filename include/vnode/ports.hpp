#pragma once

#pragma GCC visibility push(default)
namespace vnode {

/// The port model: how many messages a node may send and receive in one round.
enum class Ports {
  single,  ///< one out and one in
  all,     ///< one out and one in per link
};

}  // namespace vnode
#pragma GCC visibility pop
