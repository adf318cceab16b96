#pragma once

#include <functional>
#include <string>

#include <vnode/lab/schedule.hpp>

namespace vnode {

/// What was changed in a mutant.
struct Mistake {
  int round;          ///< of the transfer, from 0
  std::size_t index;  ///< of the transfer in its round
  Rank from, to;      ///< as it was
  std::string what;   ///< "dropped"
  int first_round;    ///< the first round that differs, at most one before `round`

  /// "round 2, transfer 1 (0>2): dropped"
  std::string text() const;
};

/// Calls visit(mutant, mistake) for all mutants of `schedule`. The mutant is the same object each time.
void each_mutant(const Schedule& schedule,
                 const std::function<void(const Schedule& mutant, const Mistake& mistake)>& visit);

}  // namespace vnode
