#pragma once

#include <vnode/cost_model.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class Schedule;

/// Describes the cost of an algorithm step by step, in units of m, the operation's message size
/// (docs/glossary.md): sums over the rounds. Textbooks take startups * t_s + words * t_w * m: all ports of a
/// node work at the same time. Where a node serves its ports one after the other, as a thread does,
/// `received` replaces `words`.
struct Cost {
  double startups = 0;  ///< coefficient of t_s: the number of rounds
  double words = 0;     ///< coefficient of t_w * m: the largest message of each round
  double received = 0;  ///< what the busiest node of each round receives; equals words with one port
  double combined = 0;  ///< coefficient of t_op * m: operands of the node that combines most in each round
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// Returns the cost of a schedule step by step: the sum over its rounds of the greatest message, of what the
/// busiest node receives, and of what the busiest node combines, where every block that is combined into
/// counts as full. `message_blocks` blocks make m; with 0 no words are counted, as for barriers.
Cost step_synchronous_cost(const Schedule& schedule, int message_blocks);

}  // namespace vnode
#pragma GCC visibility pop
