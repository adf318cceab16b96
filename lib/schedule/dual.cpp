#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/compose.hpp>

#include "schedule/each_block.hpp"

namespace vnode {

namespace {

// Which ranks have contributed to a place, as far as sides need it: the lowest one, and whether they are an
// interval.
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

// What replaces what is there.
enum class Moves { combine, stay };

// The rounds are replayed on origins; every combine gets its side as its operands are known. In a dual moves
// become combines, too.
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
  // Of the round that is played:
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
        auto place = received[static_cast<std::size_t>(transfer.to)][static_cast<std::size_t>(block)];
        if (place)
          throw UsageError(fmt::format("node {} receives block {} twice: such a schedule has no dual",
                                       transfer.to, block));
        place = true;
      });
}

}  // namespace

Schedule dual(const Schedule& a) {
  check_received_once(a);
  Schedule result = reversed(a);
  Sides(result, Moves::combine);
  return result;
}

std::optional<Schedule> dual_in_order(const Schedule& a) {
  check_received_once(a);
  Schedule result = reversed(a);
  if (!Sides(result, Moves::combine).in_order()) return std::nullopt;
  return result;
}

Schedule sided(Schedule a) {
  Sides(a, Moves::stay);
  return a;
}

}  // namespace vnode
