#pragma once

#include <cstddef>

#include <vnode/rank.hpp>

#include "compile/plan.hpp"

namespace vnode {

// These are programs of calls of nodes that share cores, in one process, which meet instead of sending
// messages: a meeting is one turn for each node. Their length does not depend on the number of nodes. They
// throw std::bad_alloc.

/// Describes a call in whose only round every node gets a message from each other one: the same that all
/// others get, as in an all_gather, or another one of as many as there are nodes, as in an all_to_all.
struct CompleteExchange {
  int sent = 0;           ///< messages in a node's input: 1, or one for each node, by rank
  std::size_t bytes = 0;  ///< of each message
};

/// Makes the program of node `rank`: all let the others read their memory, meet, read what is theirs, and
/// meet again before anybody goes on.
Program make_program(const CompleteExchange& exchange, Aliasing aliasing, Rank rank);

/// Describes a call whose nodes bring their values to one meeting, where those who come last gather them by
/// rank, or combine them: an all_gather, all_reduce or reduce_scatter.
struct Bringing {
  bool gathers = false;
  std::size_t bytes = 0;                ///< of each value
  std::size_t taken = 0, taken_at = 0;  ///< bytes of the whole that a node takes, and where they begin
};

/// Makes the program of a node in such a call.
Program make_program(const Bringing& bringing);

}  // namespace vnode
