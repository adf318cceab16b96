#pragma once

#include <cstdint>

#include <vnode/model/select.hpp>

namespace vnode {

/// Says how nodes that share cores, in one process, meet instead of sending messages (compile/meetings.hpp).
enum class MeetingForm : std::uint8_t {
  none,      ///< they send messages
  counted,   ///< a barrier: they are counted
  combined,  ///< an all_reduce or reduce_scatter: who comes last combines what all have brought
  gathered,  ///< an all_gather: who comes last gathers it
  exchange,  ///< they meet, read each other's memory, and meet again
};

/// Returns how an algorithm with these parameters is carried out.
MeetingForm meeting_form(const Algorithm& algorithm, const Demand& demand, const Parameters& parameters,
                         const CostModel& costs);

}  // namespace vnode
