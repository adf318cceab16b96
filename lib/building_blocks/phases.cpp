#include "building_blocks/phases.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>

#include "building_blocks/repeats.hpp"
#include "schedule/each_block.hpp"

namespace vnode {

namespace {

// Returns `a` without its rounds in which nothing is sent.
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

Tally Tally::backwards(bool combining) const {
  Tally result = *this;
  std::ranges::reverse(result.rounds);
  for (std::vector<Message>& round : result.rounds)
    for (Message& message : round) {
      std::swap(message.from, message.to);
      if (combining) message.combined = message.pieces;
    }
  return result;
}

Phases::Phases(int nodes, int units) : nodes_(nodes), units_(units), phases_(1) {}

void Phases::add(Schedule schedule, std::vector<Rank> ranks, std::vector<Units> places) {
  phases_.back().push_back({std::move(schedule), std::move(ranks), std::move(places)});
}

int Phases::Part::cuts() const {
  return places.empty() ? 1 : schedule.blocks() / static_cast<int>(places.size());
}

// Visits the pieces that blocks stand for: the units of a share lie side by side, and it is cut into as many
// pieces as the part does.
template <class Visit>
void Phases::Part::each_piece(Blocks blocks, int cuts_of_all, const Visit& visit) const {
  const int own_cuts = cuts();
  each_block(schedule.intervals(blocks), [&](int block) {
    const Units& units = places[static_cast<std::size_t>(block / own_cuts)];
    const int length = static_cast<int>(units.size()) * cuts_of_all / own_cuts;
    const int first = block % own_cuts * length;
    for (int i = first; i < first + length; ++i)
      visit(units[static_cast<std::size_t>(i / cuts_of_all)] * cuts_of_all + i % cuts_of_all);
  });
}

void Phases::play(const Part& part, int cuts, std::size_t first_round, Schedule& result) const {
  const auto placed = [&](Blocks blocks) {
    std::vector<Interval> list;
    if (units_ > 0)
      part.each_piece(blocks, cuts, [&](int at) {
        if (!list.empty() && list.back().last == at)
          ++list.back().last;
        else
          list.push_back({at, at + 1});
      });
    return result.blocks_of(list);
  };
  for (std::size_t i = 0; i < part.schedule.rounds().size(); ++i)
    for (const Transfer& t : part.schedule.rounds()[i]) {
      const Blocks what = placed(t.what), into = t.into == t.what ? what : placed(t.into);
      if (units_ > 0 && what == Blocks::nothing && into == Blocks::nothing) continue;
      if (into != what && result.count(what) != result.count(into))
        throw UsageError("needs parts of one size for algorithms that send a part into the place of another");
      result.round(static_cast<int>(first_round + i))
          .emplace_back(part.ranks[static_cast<std::size_t>(t.from)],
                        part.ranks[static_cast<std::size_t>(t.to)], what, into, t.effect);
    }
}

std::vector<std::vector<int>> Phases::held_pieces(int cuts) const {
  std::vector<std::vector<int>> pieces(static_cast<std::size_t>(nodes_));
  for (std::size_t rank = 0; rank < pieces.size(); ++rank)
    for (const int unit : (*held_)[rank])
      for (int i = 0; i < cuts; ++i) pieces[rank].push_back(unit * cuts + i);
  return pieces;
}

Schedule Phases::schedule() const {
  const Schedule all = assembled();
  return without_pauses(held_ ? vnode::without_repeats(all, held_pieces(all.blocks() / units_)) : all);
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

// A message of a part is worth what its blocks stand for. Where nothing is repeated, a piece counts where it
// comes first.
Tally Phases::tally() const {
  const int cuts = common_cuts();
  Tally sum{nodes_, units_ * cuts};
  std::vector<std::vector<bool>> there;  // by rank and piece
  if (held_) {
    there.assign(static_cast<std::size_t>(nodes_), std::vector<bool>(static_cast<std::size_t>(sum.pieces)));
    const std::vector<std::vector<int>> held = held_pieces(cuts);
    for (std::size_t rank = 0; rank < held.size(); ++rank)
      for (const int piece : held[rank]) there[rank][static_cast<std::size_t>(piece)] = true;
  }
  for (const std::vector<Part>& phase : phases_) {
    std::vector<std::vector<Tally::Message>> rounds;
    for (const Part& part : phase) {
      rounds.resize(std::max(rounds.size(), part.schedule.rounds().size()));
      for (std::size_t i = 0; i < part.schedule.rounds().size(); ++i) {
        std::vector<std::pair<Rank, int>> arrived;
        for (const Transfer& t : part.schedule.rounds()[i]) {
          const Rank to = part.ranks[static_cast<std::size_t>(t.to)];
          long pieces = 0;
          if (units_ > 0)
            part.each_piece(t.what, cuts, [&](int piece) {
              if (held_ && there[static_cast<std::size_t>(to)][static_cast<std::size_t>(piece)]) return;
              ++pieces;
              if (held_) arrived.emplace_back(to, piece);
            });
          if (units_ > 0 && pieces == 0) continue;
          rounds[i].push_back({part.ranks[static_cast<std::size_t>(t.from)], to, pieces,
                               t.effect == Effect::replace ? 0 : pieces});
        }
        for (const auto& [rank, piece] : arrived)
          there[static_cast<std::size_t>(rank)][static_cast<std::size_t>(piece)] = true;
      }
    }
    std::erase_if(rounds, [](const auto& round) { return round.empty(); });
    sum.rounds.insert(sum.rounds.end(), rounds.begin(), rounds.end());
  }
  return sum;
}

}  // namespace vnode
