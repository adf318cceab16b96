#include "collective/phases.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>

#include "collective/repeats.hpp"
#include "schedule/each_block.hpp"

namespace vnode {

namespace {

// `a` without its rounds in which nothing is sent.
Schedule without_pauses(const Schedule& a) {
  Schedule result(a.nodes(), a.blocks());
  for (const Round& round : a.rounds()) {
    if (round.empty()) continue;
    Round& next = result.next_round();
    for (const Transfer& t : round)
      next.emplace_back(t.from, t.to, result.blocks_of(a.intervals(t.what)),
                        result.blocks_of(a.intervals(t.into)), t.effect);
  }
  return result;
}

}  // namespace

Phases::Phases(int nodes, int units) : nodes_(nodes), units_(units), phases_(1) {}

void Phases::add(Schedule schedule, std::vector<Rank> ranks, std::vector<Units> places) {
  phases_.back().push_back({std::move(schedule), std::move(ranks), std::move(places)});
}

int Phases::Part::cuts() const {
  return places.empty() ? 1 : schedule.blocks() / static_cast<int>(places.size());
}

void Phases::play(const Part& part, int cuts, std::size_t first_round, Schedule& result) const {
  const int own_cuts = part.cuts();
  const auto place = [&](int block, std::vector<Interval>& list) {
    const Units& units = part.places[static_cast<std::size_t>(block / own_cuts)];
    // The units lie side by side, and the share is cut into as many pieces as the part does.
    const int length = static_cast<int>(units.size()) * cuts / own_cuts, first = block % own_cuts * length;
    for (int i = first; i < first + length; ++i) {
      const int at = units[static_cast<std::size_t>(i / cuts)] * cuts + i % cuts;
      if (!list.empty() && list.back().last == at)
        ++list.back().last;
      else
        list.push_back({at, at + 1});
    }
  };
  const auto placed = [&](Blocks blocks) {
    std::vector<Interval> list;
    if (units_ > 0) each_block(part.schedule.intervals(blocks), [&](int block) { place(block, list); });
    return result.blocks_of(list);
  };
  for (std::size_t i = 0; i < part.schedule.rounds().size(); ++i)
    for (const Transfer& t : part.schedule.rounds()[i]) {
      const Blocks what = placed(t.what), into = t.into == t.what ? what : placed(t.into);
      if (units_ > 0 && what == nothing && into == nothing) continue;
      if (into != what && result.count(what) != result.count(into))
        throw UsageError("needs parts of one size for algorithms that send a part into the place of another");
      result.round(static_cast<int>(first_round + i))
          .emplace_back(part.ranks[static_cast<std::size_t>(t.from)],
                        part.ranks[static_cast<std::size_t>(t.to)], what, into, t.effect);
    }
}

Schedule Phases::schedule() const { return without_pauses(assembled()); }

Schedule Phases::news(std::span<const Units> held) const {
  const Schedule all = assembled();
  const int cuts = all.blocks() / units_;
  std::vector<Units> blocks(held.size());
  for (std::size_t rank = 0; rank < held.size(); ++rank)
    for (const int unit : held[rank])
      for (int i = 0; i < cuts; ++i) blocks[rank].push_back(unit * cuts + i);
  return without_pauses(without_repeats(all, blocks));
}

int Phases::common_cuts() const {
  constexpr std::int64_t most = 1 << 16;
  std::int64_t cuts = 1;
  for (const std::vector<Part>& phase : phases_)
    for (const Part& part : phase) {
      cuts = std::lcm(cuts, std::int64_t{part.cuts()});
      if (cuts * std::max(units_, 1) > most)
        throw UsageError(
            fmt::format("needs algorithms that cut messages alike: for all their parts to fit, "
                        "these cut them into {} pieces, {} are the most",
                        cuts * std::max(units_, 1), most));
    }
  return static_cast<int>(cuts);
}

Schedule Phases::assembled() const {
  const int cuts = common_cuts();
  Schedule result(nodes_, units_ * cuts);
  for (const std::vector<Part>& phase : phases_) {
    const std::size_t begin = result.rounds().size();
    for (const Part& part : phase) {
      while (result.rounds().size() < begin + part.schedule.rounds().size()) result.next_round();
      play(part, cuts, begin, result);
    }
  }
  return result;
}

}  // namespace vnode
