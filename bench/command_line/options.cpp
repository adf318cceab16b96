#include "command_line/options.hpp"

#include <algorithm>

#include "data/element.hpp"

namespace vnode::bench {

TeamOptions Options::team_options() const {
  TeamOptions team;
  team.keep_caller_pinned = true;
  team.channel = channel == "boost" ? ChannelEngine::boost : ChannelEngine::line;
  if (wait == "spin") team.wait = Wait::spin;
  if (wait == "yield") team.wait = Wait::yield;
  if (wait == "park") team.wait = Wait::park;
  team.banks = banks;
  team.deterministic = deterministic;
  team.mapping = mapping;
  team.arenas = arenas;
  return team;
}

std::vector<Arithmetic> Options::datatypes_for(bool combining) const {
  if (!datatypes.empty()) return datatypes;
  if (osu) return {combining ? Arithmetic::f32 : Arithmetic::i8};
  return {Arithmetic::f64};
}

std::vector<std::size_t> Options::sizes(Arithmetic datatype) const {
  std::vector<std::size_t> sizes;
  std::size_t bytes = osu ? std::max(min_bytes, size_of(datatype)) : min_bytes;
  while (bytes <= max_bytes) {
    sizes.push_back(bytes);
    const std::size_t next = step > 0 ? bytes + step : bytes * factor;
    if (next <= bytes) break;  // more than a size can be
    bytes = next;
  }
  return sizes;
}

Effort Options::effort_for(std::size_t bytes) const {
  constexpr std::size_t large = 8192;
  Effort now = effort;
  if (osu && !now.iterations) now.iterations = bytes <= large ? 1000 : 100;
  if (osu && !warmup) now.warmup = bytes <= large ? 200 : 10;
  return now;
}

}  // namespace vnode::bench
