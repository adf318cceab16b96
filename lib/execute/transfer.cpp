#include "execute/transfer.hpp"

#include <vnode/error.hpp>

namespace vnode {

std::size_t receivers_part(const Shared& message) {
  // These are memory accesses for a byte: combining has two operands.
  constexpr std::size_t copying = 2, combining = 3;
  const std::size_t each = message.combines ? combining : copying;
  const std::size_t sender = message.bytes * each + message.senders_own * copying;
  const std::size_t receiver = message.receivers_own * copying;
  const std::size_t ahead = sender > receiver ? sender - receiver : 0;
  const std::size_t grain = message.element_bytes * cache_line;
  return std::min(ahead / each / (2 + message.beside), message.bytes) / grain * grain;
}

void Work::apply(Effect effect, std::byte* into, const std::byte* own, const std::byte* theirs,
                 std::size_t bytes) const {
  if (!has_help(effect, bytes)) return apply_alone(effect, into, own, theirs, bytes);
  divide(bytes, segment_of(element_bytes), [&](std::size_t first, std::size_t last) {
    apply_alone(effect, into + first, own + first, theirs + first, last - first);
  });
}

void Work::apply_alone(Effect effect, std::byte* into, const std::byte* own, const std::byte* theirs,
                       std::size_t bytes) const {
  const std::size_t step = segment_of(element_bytes);
  for (std::size_t at = 0; at < bytes; at += step) {
    if (at != 0) endpoint.fabric().check_aborted();
    const std::size_t now = std::min(step, bytes - at);
    if (effect == Effect::replace) {
      std::memcpy(into + at, theirs + at, now);
      continue;
    }
    const std::byte* left = effect == Effect::combine_after ? own : theirs;
    const std::byte* right = effect == Effect::combine_after ? theirs : own;
    reduction->combine(reduction->state, into + at, left + at, right + at, now / element_bytes);
  }
}

}
