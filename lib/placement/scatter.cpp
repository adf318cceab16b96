#include <algorithm>

#include <vnode/lab/mapping_policy.hpp>

#include "placement/parts.hpp"
#include "placement/slots.hpp"

namespace vnode {
namespace {

/// Appends `count` of the part's PUs to `chosen`: to each of its parts in proportion to its PUs.
void spread(const PuPart& part, std::size_t count, std::vector<int>& chosen) {
  if (part.parts.empty() || count < 2) {
    chosen.insert(chosen.end(), part.pus.begin(), part.pus.begin() + static_cast<std::ptrdiff_t>(count));
    return;
  }
  const std::size_t all = part.pus.size();
  std::size_t before = 0, given = 0;
  for (const PuPart& inner : part.parts) {
    before += inner.pus.size();
    const std::size_t so_far = (before * count + all - 1) / all;
    spread(inner, so_far - given, chosen);
    given = so_far;
  }
}

}  // namespace

Mapping scatter_mapping(const Machine& machine, int nodes) {
  Slots some = slots(machine, nodes);
  spread(divided(machine, some.open), static_cast<std::size_t>(some.take), some.certain);
  std::ranges::sort(some.certain);
  return mapping_on(machine, some.certain);
}

}  // namespace vnode
