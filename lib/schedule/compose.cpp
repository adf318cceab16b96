#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/compose.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "schedule/each_block.hpp"

namespace vnode {
namespace {

void check_same_shape(const Schedule& a, const Schedule& b) {
  if (a.nodes() != b.nodes() || a.blocks() != b.blocks())
    throw UsageError(fmt::format("schedules of {} and {} and of {} and {} do not compose: both must agree",
                                 counted(a.nodes(), "node"), counted(a.blocks(), "block"),
                                 counted(b.nodes(), "node"), counted(b.blocks(), "block")));
}

// Returns blocks of `a`, made anew in `result`.
Blocks carried(const Schedule& a, Blocks blocks, Schedule& result) {
  return result.blocks_of(a.intervals(blocks));
}

Transfer carried(const Schedule& a, Transfer transfer, Schedule& result) {
  transfer.what = carried(a, transfer.what, result);
  transfer.into = carried(a, transfer.into, result);
  return transfer;
}

void check_group(const Schedule& a, int nodes, std::span<const Rank> ranks) {
  std::vector<Rank> sorted(ranks.begin(), ranks.end());
  std::ranges::sort(sorted);
  const bool distinct = std::ranges::adjacent_find(sorted) == sorted.end();
  const bool within = sorted.empty() || (sorted.front() >= 0 && sorted.back() < nodes);
  if (static_cast<int>(ranks.size()) != a.nodes() || !distinct || !within)
    throw UsageError(fmt::format("a schedule of {} needs as many different ranks below {}, got {}",
                                 counted(a.nodes(), "node"), nodes, fmt::join(ranks, " ")));
}

void check_map(const Schedule& a, const BlockMap& map) {
  const bool one_length =
      std::ranges::all_of(map.places, [&](const Interval& i) { return i.size() == map.places[0].size(); });
  if (static_cast<int>(map.places.size()) != a.blocks() || !one_length)
    throw UsageError(fmt::format("a block map for {} needs as many places, of one length, got {}",
                                 counted(a.blocks(), "block"), map.places.size()));
}

Blocks mapped(const Schedule& a, Blocks blocks, const BlockMap& map, Schedule& result) {
  std::vector<Interval> list;
  for (const Interval& interval : a.intervals(blocks))
    for (int block = interval.first; block < interval.last; ++block) list.push_back(at(map.places, block));
  return result.blocks_of(list);
}

// Holds the ranks that have contributed to a place, as far as a side depends on them: the lowest, and whether
// they are an interval.
struct Origins {
  Rank lowest, last;
  bool interval = true;
  bool before(const Origins& other) const { return interval && other.interval && last == other.lowest; }
};

Origins joined(const Origins& a, const Origins& b) {
  return {std::min(a.lowest, b.lowest), std::max(a.last, b.last), a.before(b) || b.before(a)};
}

struct Arrival {
  Transfer* transfer;
  Origins origins;
  std::size_t place;
  int earlier;  // the arrival before it at this place, or -1
  bool leads;   // the first block of its transfer, which decides the side of all
};

// Says what becomes of a transfer that replaces: in a dual it combines.
enum class Moves { combine, stay };

// Replays the rounds on origins, and sets the side of every combine once its operands are known.
class Sides {
 public:
  Sides(Schedule& schedule, Moves moves)
      : schedule_(schedule), moves_(moves), blocks_(static_cast<std::size_t>(schedule.blocks())) {
    for (Rank rank = 0; rank < schedule.nodes(); ++rank)
      places_.insert(places_.end(), blocks_, {rank, rank + 1});
    latest_.assign(places_.size(), -1);
    for (int i = 0; i < static_cast<int>(schedule.rounds().size()); ++i) play(schedule.round(i));
  }

  bool in_order() const { return in_order_; }

 private:
  void play(Round& round) {
    arrivals_.clear();
    for (Transfer& transfer : round) {
      bool leads = true;
      each_block(schedule_, transfer, [&](int what, int into) {
        const std::size_t to = place(transfer.to, into);
        const int earlier = std::exchange(latest_[to], static_cast<int>(arrivals_.size()));
        arrivals_.push_back({&transfer, places_[place(transfer.from, what)], to, earlier, leads});
        leads = false;
      });
    }
    for (const Arrival& arrival : arrivals_)
      if (arrival.leads && !stays(arrival)) choose_side(arrival);
    for (int i = 0; i < static_cast<int>(arrivals_.size()); ++i)
      if (const std::size_t at = arrivals_[static_cast<std::size_t>(i)].place; latest_[at] == i) {
        combine(at);
        latest_[at] = -1;
      }
  }

  void choose_side(const Arrival& arrival) const {
    const bool alone =
        arrival.earlier < 0 && &arrivals_[static_cast<std::size_t>(latest_[arrival.place])] == &arrival;
    const bool before = alone ? arrival.origins.lowest < places_[arrival.place].lowest
                              : arrival.transfer->from < static_cast<Rank>(arrival.place / blocks_);
    arrival.transfer->effect = before ? Effect::combine_before : Effect::combine_after;
  }

  bool stays(const Arrival& arrival) const {
    return moves_ == Moves::stay && arrival.transfer->effect == Effect::replace;
  }

  void combine(std::size_t place) {
    if (const Arrival& last = arrivals_[static_cast<std::size_t>(latest_[place])]; stays(last)) {
      places_[place] = last.origins;
      return;
    }
    together_.clear();
    for (int i = latest_[place]; i >= 0; i = together_.back().earlier)
      together_.push_back(arrivals_[static_cast<std::size_t>(i)]);
    if (together_.size() > 1)
      std::ranges::sort(together_, {}, [](const Arrival& a) { return a.transfer->from; });
    operands_.clear();
    for (const Effect side : {Effect::combine_before, Effect::combine_after}) {
      for (const Arrival& arrival : together_)
        if (arrival.transfer->effect == side) operands_.push_back(arrival.origins);
      if (side == Effect::combine_before) operands_.push_back(places_[place]);
    }
    for (std::size_t i = 1; i < operands_.size(); ++i) in_order_ &= operands_[i - 1].before(operands_[i]);
    places_[place] = std::accumulate(operands_.begin() + 1, operands_.end(), operands_[0], joined);
  }

  std::size_t place(Rank rank, int block) const {
    return static_cast<std::size_t>(rank) * blocks_ + static_cast<std::size_t>(block);
  }

  Schedule& schedule_;
  Moves moves_;
  std::size_t blocks_;
  std::vector<Origins> places_;  // by rank and block
  bool in_order_ = true;
  // This is the state of the round that is played:
  std::vector<Arrival> arrivals_;
  std::vector<int> latest_;        // by place: its latest arrival, or -1
  std::vector<Arrival> together_;  // arrivals at one place
  std::vector<Origins> operands_;  // of one combine
};

void check_received_once(const Schedule& a) {
  std::vector<std::vector<bool>> received(static_cast<std::size_t>(a.nodes()),
                                          std::vector<bool>(static_cast<std::size_t>(a.blocks())));
  for (const Round& round : a.rounds())
    for (const Transfer& transfer : round)
      each_block(a.intervals(transfer.into), [&](int block) {
        auto place = at(at(received, transfer.to), block);
        if (place)
          throw UsageError(fmt::format("node {} receives block {} twice: such a schedule has no dual",
                                       transfer.to, block));
        place = true;
      });
}

}  // namespace

Schedule compose::then(const Schedule& a, const Schedule& b) {
  check_same_shape(a, b);
  Schedule result = a;
  for (const Round& round : b.rounds()) {
    Round& next = result.next_round();
    for (const Transfer& transfer : round) next.push_back(carried(b, transfer, result));
  }
  return result;
}

Schedule compose::beside(const Schedule& a, const Schedule& b) {
  check_same_shape(a, b);
  Schedule result = a;
  for (std::size_t i = 0; i < b.rounds().size(); ++i) {
    Round& round = i < a.rounds().size() ? result.round(static_cast<int>(i)) : result.next_round();
    for (const Transfer& transfer : b.rounds()[i]) round.push_back(carried(b, transfer, result));
  }
  return result;
}

Schedule compose::on_group(const Schedule& a, int nodes, std::span<const Rank> ranks) {
  BlockMap map{a.blocks(), {}};
  for (int block = 0; block < a.blocks(); ++block) map.places.push_back({block, block + 1});
  return compose::on_group(a, nodes, ranks, map);
}

Schedule compose::on_group(const Schedule& a, int nodes, std::span<const Rank> ranks, const BlockMap& map) {
  check_group(a, nodes, ranks);
  check_map(a, map);
  Schedule result(nodes, map.blocks);
  for (const Round& round : a.rounds()) {
    Round& next = result.next_round();
    for (const Transfer& t : round)
      next.emplace_back(at(ranks, t.from), at(ranks, t.to), mapped(a, t.what, map, result),
                        mapped(a, t.into, map, result), t.effect);
  }
  return result;
}

Schedule compose::relabelled(const Schedule& a, std::span<const Rank> ranks) {
  return compose::on_group(a, a.nodes(), ranks);
}

Schedule compose::relabelled(const Schedule& a, std::span<const Rank> ranks, const BlockMap& map) {
  return compose::on_group(a, a.nodes(), ranks, map);
}

Schedule compose::reversed(const Schedule& a) {
  Schedule result(a.nodes(), a.blocks());
  for (auto round = a.rounds().rbegin(); round != a.rounds().rend(); ++round) {
    Round& next = result.next_round();
    for (const Transfer& t : *round) {
      if (t.effect != Effect::replace)
        throw UsageError(
            "a schedule that combines cannot be reversed: combined data cannot be separated again");
      next.push_back(carried(a, {t.to, t.from, t.into, t.what, Effect::replace}, result));
    }
  }
  return result;
}

std::vector<Part> projection(const Schedule& a, Rank rank) {
  if (rank < 0 || rank >= a.nodes())
    throw UsageError(fmt::format("there is no node {}: the schedule has nodes 0 to {}", rank, a.nodes() - 1));
  std::vector<Part> parts;
  for (const Round& round : a.rounds()) {
    Part& part = parts.emplace_back();
    for (const Transfer& transfer : round) {
      if (transfer.from == rank) part.out.push_back(transfer);
      if (transfer.to == rank) part.in.push_back(transfer);
    }
  }
  return parts;
}

Schedule compose::dual(const Schedule& a) {
  check_received_once(a);
  Schedule result = compose::reversed(a);
  Sides(result, Moves::combine);
  return result;
}

std::optional<Schedule> compose::dual_in_order(const Schedule& a) {
  check_received_once(a);
  Schedule result = compose::reversed(a);
  if (!Sides(result, Moves::combine).in_order()) return std::nullopt;
  return result;
}

Schedule compose::sided(Schedule a) {
  Sides(a, Moves::stay);
  return a;
}

}  // namespace vnode
