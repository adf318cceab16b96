#pragma once

#include <vnode/cost_model.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class Schedule;

/// What an algorithm costs step by step, in units of m, the operation's message size (docs/glossary.md).
/// Textbooks take startups * t_s + words * t_w * m: all ports of a node work at the same time. Where a node
/// serves its ports one after the other, as a thread does, it is received instead of words.
struct Cost {
  double startups = 0;  ///< coefficient of t_s: the number of rounds
  double words = 0;     ///< coefficient of t_w * m: the largest message of each round
  double received = 0;  ///< what the node that takes in most of a round takes in; equals words with one port
  double combined = 0;  ///< coefficient of t_op * m: operands of the node that combines most in a round
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// What a schedule costs step by step: the sum over its rounds of the greatest message, of what the busiest
/// node receives, and of what the busiest node combines, where every place that is combined into counts as
/// one that holds something. `message_blocks` blocks make m; with 0 no words are counted, as for barriers.
Cost step_synchronous_cost(const Schedule& schedule, int message_blocks);

}  // namespace vnode
#pragma GCC visibility pop
