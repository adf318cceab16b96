#include "draw/playback.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "schedule/each_block.hpp"

namespace vnode {
namespace {

using Held = std::map<std::pair<Rank, int>, Contributions>;  // by node and block

// Calls visit(what, into) for every block of a transfer: for block 0 if it is a signal among signals.
template <class Visit>
void each_moved(const Schedule& schedule, const Transfer& transfer, const Visit& visit) {
  if (schedule.blocks() == 0)
    visit(0, 0);
  else
    each_block(schedule, transfer, visit);
}

Held brought(const Contract& contract) {
  Held held;
  for (Rank rank = 0; rank < contract.nodes(); ++rank)
    each_block(at(contract.shares, rank).input, [&](int block) { held[{rank, block}] = {{rank, 1}}; });
  return held;
}

Held brought(const Schedule& schedule) {
  Held held;
  std::set<std::pair<Rank, int>> received;
  for (const Round& round : schedule.rounds()) {
    for (const Transfer& t : round)
      each_moved(schedule, t, [&](int what, int into) {
        if (!received.contains({t.from, what})) held[{t.from, what}] = {{t.from, 1}};
        if (t.effect != Effect::replace && !received.contains({t.to, into})) held[{t.to, into}] = {{t.to, 1}};
      });
    for (const Transfer& t : round)
      each_moved(schedule, t, [&](int, int into) { received.insert({t.to, into}); });
  }
  return held;
}

Held everybody_knows_of_himself(int nodes) {
  Held held;
  for (Rank rank = 0; rank < nodes; ++rank) held[{rank, 0}] = {{rank, 1}};
  return held;
}

// Replaces come first: what is combined with them in the same round is combined with what they bring.
std::vector<Change> played(const Schedule& schedule, const Round& round, Held& held) {
  const Held before = held;
  std::set<std::pair<Rank, int>> changed;
  for (const bool replaces : {true, false})
    for (const Transfer& t : round) {
      const bool replace = t.effect == Effect::replace && schedule.blocks() > 0;
      if (replace != replaces) continue;
      each_moved(schedule, t, [&](int what, int into) {
        const auto source = before.find({t.from, what});
        if (source == before.end()) return;
        Contributions& place = held[{t.to, into}];
        changed.insert({t.to, into});
        if (replace) place.clear();
        for (const auto& [origin, count] : source->second) place[origin] += count;
        if (schedule.blocks() == 0)
          for (auto& [origin, count] : place) count = 1;
      });
    }
  std::vector<Change> changes;
  for (const auto& place : changed) changes.push_back({place.first, place.second, held[place]});
  return changes;
}

}  // namespace

std::string to_text(const Contributions& contributions) {
  std::string text;
  for (auto at = contributions.begin(); at != contributions.end();) {
    const auto [first, count] = *at;
    Rank last = first;
    for (++at; at != contributions.end() && at->first == last + 1 && at->second == count; ++at) ++last;
    if (!text.empty()) text += ',';
    text += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    if (count > 1) text += fmt::format("×{}", count);
  }
  return text;
}

Playback playback(const Schedule& schedule, const Contract* contract) {
  if (contract != nullptr && (contract->nodes() != schedule.nodes() || contract->blocks != schedule.blocks()))
    throw UsageError(fmt::format("a contract of {} and {} is not for a schedule of {} and {}",
                                 counted(contract->nodes(), "node"), counted(contract->blocks, "block"),
                                 counted(schedule.nodes(), "node"), counted(schedule.blocks(), "block")));
  Held held = schedule.blocks() == 0 ? everybody_knows_of_himself(schedule.nodes())
              : contract != nullptr  ? brought(*contract)
                                     : brought(schedule);
  Playback playback{.blocks = std::max(1, schedule.blocks()), .start = {}, .rounds = {}};
  for (const auto& [place, contributions] : held)
    playback.start.push_back({place.first, place.second, contributions});
  for (const Round& round : schedule.rounds()) playback.rounds.push_back(played(schedule, round, held));
  return playback;
}

}  // namespace vnode
