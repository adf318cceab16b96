#pragma once

#include <functional>

#include "compare/comparison.hpp"

namespace vnode {

/// Measures every entry on this machine, with one team of the topology's nodes, and sets Entry::measured and
/// Comparison::beginnings: the seconds from a common start until the last node is done, the median of its
/// rounds.
///
/// Of a size all algorithms take turns, round by round, in an order that changes; all use the same memory,
/// which whoever brings data writes anew before. Calls are planned before. Where every node has a core of its
/// own they start at one moment of the steady clock, and a round that some node has entered more than 0.2 us
/// late is dropped, unless all were, which Entry::late says; elsewhere they start when they have met, and the
/// first that enters counts. `measured` is told the share done so far. UsageError if the data need more than
/// half of the machine's memory.
void measure(const Contest& contest, Comparison& comparison, const std::function<void(double)>& measured);

}  // namespace vnode
