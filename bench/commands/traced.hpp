#pragma once

#include <cstddef>
#include <string>

#include <vnode/model/trace.hpp>
#include <vnode/team.hpp>

#include "timing/contest.hpp"

namespace vnode::bench {

/// Holds the median of several traced calls, which followed calls that were not recorded.
struct TracedMedian {
  TracedCall call;
  int calls = 0;            ///< of which it is the median, by the time from first start to last end
  std::size_t dropped = 0;  ///< events that there was no room for
};

/// Traces calls of one of vnode's contestants and returns the median. All nodes enter each call together, on
/// data written anew, after walks if there are any. Throws SystemError if no call has been recorded whole.
TracedMedian traced_median(Team& team, Question& question, Contestant& contestant, const Effort& effort);

/// Returns the call as a trace (vnode::to_trace) that says what it is of. Beside the messages, it has what
/// the nodes were occupied with as events of category "activity".
std::string with_activities(const TracedCall& call, const std::string& title, const RunSubject& of);

}  // namespace vnode::bench
