#include "runtime/patterns.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace vnode {

std::optional<Rank> meeting_place(const Schedule& schedule, std::size_t round) {
  const std::vector<Round>& rounds = schedule.rounds();
  const auto nodes = static_cast<std::size_t>(schedule.nodes());
  const std::size_t others = nodes - 1;
  if (schedule.blocks() != 0 || others < 2 || round + 1 >= rounds.size()) return {};
  const Round &in = rounds[round], &out = rounds[round + 1];
  if (in.size() != others || out.size() != others) return {};
  const Rank owner = in.front().to;
  std::vector<bool> came(nodes), went(nodes);
  for (const Transfer& t : in) came[static_cast<std::size_t>(t.from)] = t.to == owner;
  for (const Transfer& t : out) went[static_cast<std::size_t>(t.to)] = t.from == owner;
  came[static_cast<std::size_t>(owner)] = went[static_cast<std::size_t>(owner)] = true;
  const bool all = std::ranges::count(came, true) == std::ssize(came) && came == went;
  return all ? std::optional(owner) : std::nullopt;
}

bool returns_to_sources(const Schedule& schedule, std::size_t round) {
  const std::vector<Round>& rounds = schedule.rounds();
  if (round + 1 >= rounds.size() || rounds[round].empty()) return false;
  const Round &there = rounds[round], &back = rounds[round + 1];
  if (there.size() != back.size()) return false;
  std::map<std::pair<Rank, Rank>, const Transfer*> came;
  for (const Transfer& t : there)
    if (t.effect == Effect::replace || !(t.what == t.into) || !came.try_emplace({t.from, t.to}, &t).second)
      return false;
  std::vector<int> sent(static_cast<std::size_t>(schedule.nodes())), received(sent.size());
  for (const Transfer& t : back) {
    ++sent[static_cast<std::size_t>(t.from)];
    ++received[static_cast<std::size_t>(t.to)];
    const auto source = came.find({t.to, t.from});
    if (t.effect != Effect::replace || !(t.what == t.into) || source == came.end() ||
        !(t.what == source->second->what))
      return false;
  }
  return std::ranges::max(sent) <= std::ranges::max(received);
}

}
