// A step that takes the messages of several nodes at once from their boards, and combines them place by
// place.
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <vnode/error.hpp>

#include "runtime/copy.hpp"
#include "runtime/execution.hpp"
#include "runtime/memories.hpp"
#include "runtime/mismatch.hpp"
#include "runtime/n_ary.hpp"

namespace vnode {

bool Execution::gather(const Step& step) {
  const Gather& gathering = plan_.gathers[step.first];
  for (; arrived_ < gathering.movements; ++arrived_) {
    const Movement& movement = next_gathered(step);
    Head shown;
    if (!board(movement.from).front(head(movement, Kind::data, 0), shown)) return false;
    if (shown.signature != call_.head.signature)
      throw Mismatch(mismatch_text(endpoint_.fabric(), endpoint_.rank(), node(movement.from), shown.context,
                                   shown.call));
  }
  for (std::uint32_t i = 0; i < gathering.combines; ++i) combine(plan_.combines[gathering.first_combine + i]);
  for (std::uint32_t i = 0; i < gathering.movements; ++i) {
    const Movement& movement = plan_.movements[plan_.gathered[gathering.first_movement + i]];
    board(movement.from).take(head(movement, Kind::data, 0));
    endpoint_.fabric().ring(node(movement.from));
  }
  arrived_ = 0;
  return true;
}

/// The n-ary combine of one place.
void Execution::combine(const Combine& place) {
  const Operand& operand = plan_.operands[place.first_operand];
  if (operand.parts == 0) return;
  const Guard guard(endpoint_.fabric(), endpoint_.rank());
  const Piece& end = plan_.parts[operand.first_part + operand.parts - 1];
  const std::size_t all = end.at + end.bytes;
  // What is passed on is passed on while it is in the nearest cache.
  const std::size_t segment =
      segment_of(call_.element_bytes, place.forwards > 0 ? forwarded_bytes : segment_bytes);
  const Work work = own_work();
  if (!work.has_help(Effect::combine_after, all)) return combine(place, segment, 0, all);
  work.divide(all, segment,
              [&](std::size_t first, std::size_t last) { combine(place, segment, first, last); });
}

/// Bytes [first, last) of it: for each segment, all operands in rank order, so that the running result stays
/// in cache. Several threads may be here at a time, each with bytes of its own.
void Execution::combine(const Combine& place, std::size_t segment, std::size_t first,
                        std::size_t last) const {
  const std::span operands(plan_.operands.data() + place.first_operand, place.operands);
  const auto parts = [&](const Operand& operand) {
    return std::span(plan_.parts).subspan(operand.first_part, operand.parts);
  };
  const Work work = own_work();
  NaryCombine combine(work, plan_.canonical, std::min(segment, last - first));

  struct Value {
    const std::byte* begin;
    std::size_t bytes;  // contiguous from here
  };
  const auto value = [&](const Operand& operand, std::size_t from) -> Value {
    const Movement& movement = plan_.movements[operand.movement];
    const std::byte* payload = board(movement.from).payload(head(movement, Kind::data, 0));
    const Piece& part = part_at(parts(operand), from);
    const std::byte* base = movement.carriage == Carriage::lines
                                ? payload + part.at
                                : at(exposed_in(payload).memories, part.theirs);
    return {base + (from - part.at), part.at + part.bytes - from};
  };

  // A result goes back to nodes that are operands: these have shown their memories.
  std::vector<std::pair<const Movement*, Memories>> forwards;
  for (std::uint32_t i = 0; i < place.forwards; ++i) {
    const Movement& back = plan_.movements[plan_.gathered[place.first_forward + i]];
    const auto came = std::ranges::find_if(
        operands, [&](const Operand& operand) { return plan_.movements[operand.movement].from == back.to; });
    const Head shown = head(plan_.movements[came->movement], Kind::data, 0);
    forwards.emplace_back(&back, exposed_in(board(back.to).payload(shown)).memories);
  }

  std::vector<const std::byte*> values;
  values.reserve(operands.size() + 1);
  for (std::size_t from = first; from < last;) {
    if (endpoint_.fabric().aborted()) throw Aborted("another node has failed");
    const Piece& part = part_at(parts(operands.front()), from);
    std::size_t bytes = std::min({segment, part.at + part.bytes - from, last - from});
    const std::byte* const own = at(call_.memories, part.own) + (from - part.at);
    bool own_to_come = part.effect != Effect::replace;
    values.clear();
    for (const Operand& operand : operands) {
      if (own_to_come && plan_.movements[operand.movement].from > call_.rank) {
        own_to_come = false;
        values.push_back(own);
      }
      const Value next = value(operand, from);
      values.push_back(next.begin);
      bytes = std::min(bytes, next.bytes);
    }
    if (own_to_come) values.push_back(own);
    std::byte* const into = at(call_.memories, part.into) + (from - part.at);
    combine.apply(into, values, bytes);
    for (const auto& [movement, theirs] : forwards) forward(*movement, theirs, into, from, bytes);
    from += bytes;
  }
}

/// Writes bytes [from, from + bytes) of a result, which lie in `result`, to where another node wants them.
void Execution::forward(const Movement& movement, const Memories& theirs, const std::byte* result,
                        std::size_t from, std::size_t bytes) const {
  for (std::size_t done = 0; done < bytes;) {
    const Piece& part = part_at(parts_of(plan_, movement), from + done);
    const std::size_t now = std::min(bytes - done, part.at + part.bytes - from - done);
    std::memcpy(at(theirs, part.into) + (from + done - part.at), result + done, now);
    done += now;
  }
}

}  // namespace vnode
