#pragma once

#pragma GCC visibility push(default)
namespace vnode {

class Schedule;

/// What an algorithm costs in the step-synchronous, single-port model: startups * t_s + words * t_w.
/// `words` is in units of m, the operation's message size (see docs/glossary.md).
struct Cost {
  double startups = 0;  ///< coefficient of t_s: the number of rounds
  double words = 0;     ///< coefficient of t_w * m
  int segments = 1;     ///< pieces a message is cut into, for pipelined algorithms
  friend bool operator==(const Cost&, const Cost&) = default;
};

/// What a message of n bytes costs: t_s + n * t_w.
struct CostModel {
  double t_s = 0;  ///< seconds to start a message
  double t_w = 0;  ///< seconds per byte
  /// Predicted time in seconds of an algorithm of cost `cost` for messages of `bytes` bytes.
  double seconds(const Cost& cost, double bytes) const {
    return cost.startups * t_s + cost.words * t_w * bytes;
  }
};

/// What a schedule costs step by step: a round takes as long as its largest message. `message_blocks` blocks
/// make m; with 0 no words are counted, as for barriers.
Cost step_synchronous_cost(const Schedule& schedule, int message_blocks);

}  // namespace vnode
#pragma GCC visibility pop
