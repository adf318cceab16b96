#include "runtime/copy.hpp"

#include <algorithm>
#include <cstring>

#include <vnode/error.hpp>

namespace vnode {

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
    if (at != 0 && fabric.aborted()) throw Aborted("another node has failed");
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
