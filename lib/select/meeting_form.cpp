#include "select/meeting_form.hpp"

#include <algorithm>
#include <cstddef>

#include "channel/board.hpp"
#include "schedule/patterns.hpp"

namespace vnode {
namespace {

/// What is combined for all has up to so many bytes, and what is gathered: more takes longer in one place
/// than turns do. Many nodes copy what is gathered so often that gathering it is little beside that.
constexpr std::size_t most_combined = 32 << 10, most_gathered = 32 << 10, most_gathered_for_many = 1 << 20;
constexpr std::size_t many_nodes = 32;

/// Returns whether all send to one node, and that one sends to all.
bool is_meeting(const Algorithm& algorithm, const Parameters& parameters) {
  return rounds(algorithm, parameters) == 2 &&
         algorithm.transfers.value(parameters) == 2 * (parameters.nodes - 1) &&
         meeting_place(algorithm.build(parameters), 0);
}

}  // namespace

MeetingForm meeting_form(const Algorithm& algorithm, const Demand& demand, const Parameters& parameters,
                         const CostModel& costs) {
  const auto others = static_cast<std::size_t>(parameters.nodes - 1);
  if (!demand.meets || demand.varying || others == 0 || costs.nodes_per_pu <= 1 || costs.shared_link)
    return MeetingForm::none;
  // Of no bytes nobody has an address.
  if (demand.bytes == 0 && algorithm.collective != Collective::barrier) return MeetingForm::none;
  const std::size_t slot = std::min(costs.eager_to, Board::max_inline);  // of a board
  // One node combines for all of its carrier or, of threads, for all, where others might help.
  const auto combines = [&](std::size_t bytes) {
    return !demand.at_once && !demand.deterministic &&
           bytes <= (costs.turn > 0 && slot > 0 ? most_combined : slot);
  };
  switch (algorithm.collective) {
    case Collective::barrier:
      return is_meeting(algorithm, parameters) ? MeetingForm::counted : MeetingForm::none;
    case Collective::all_reduce:
      return combines(demand.bytes) && is_meeting(algorithm, parameters) ? MeetingForm::combined
                                                                         : MeetingForm::none;
    case Collective::reduce_scatter:
      return combines((others + 1) * demand.bytes) && rounds(algorithm, parameters) == 1
                 ? MeetingForm::combined
                 : MeetingForm::none;
    // In one round every node gets a message from each other one.
    case Collective::all_gather:
      if (rounds(algorithm, parameters) != 1) return MeetingForm::none;
      if ((others + 1) * demand.bytes <= (others < many_nodes ? most_gathered : most_gathered_for_many))
        return MeetingForm::gathered;
      return demand.bytes > slot ? MeetingForm::exchange : MeetingForm::none;
    case Collective::all_to_all:
      return rounds(algorithm, parameters) == 1 && others * demand.bytes > slot ? MeetingForm::exchange
                                                                                : MeetingForm::none;
    default:
      return MeetingForm::none;
  }
}

}  // namespace vnode
