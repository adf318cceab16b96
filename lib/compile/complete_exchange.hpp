#pragma once

#include <cstddef>

#include <vnode/rank.hpp>

#include "compile/plan.hpp"

namespace vnode {

/// Describes a call in whose only round every node gets a message from each other one: the same that all
/// others get, as in an all_gather, or another one of as many as there are nodes, as in an all_to_all.
struct CompleteExchange {
  int nodes = 0;
  int sent = 0;           ///< messages in a node's input: 1, or `nodes`, by rank
  std::size_t bytes = 0;  ///< of each message
};

/// Makes the program of node `rank`, for nodes that share cores, in one process: all let the others read
/// their memory, meet, read what is theirs, and meet again before anybody goes on. That is two turns for each
/// node instead of one for each message, and the program is as long for many nodes as for few. Throws
/// std::bad_alloc.
Program make_program(const CompleteExchange& exchange, Aliasing aliasing, Rank rank);

}  // namespace vnode
