#pragma once

#include <cstddef>
#include <string>

#include <vnode/lab/trace.hpp>
#include <vnode/team.hpp>

#include "timing/contest.hpp"

namespace vnode::bench {

/// One call out of several, after calls that were not recorded.
struct TracedMedian {
  TracedCall call;
  int calls = 0;            ///< that it is the median of, by the time from first start to last end
  std::size_t dropped = 0;  ///< events that there was no room for
};

/// Calls of one of ours, all entered together on data written anew, after walks if there are any.
/// SystemError if not one has been recorded whole.
TracedMedian traced_median(Team& team, Question& question, Contestant& contestant, const Effort& effort);

/// The call as a trace (vnode::to_trace) that says what it is of, with what nodes were occupied with as
/// events of category "activity" beside the messages.
std::string with_activities(const TracedCall& call, const std::string& title, const RunSubject& of);

}  // namespace vnode::bench
