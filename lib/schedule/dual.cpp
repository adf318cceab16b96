#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>

#include <vnode/compose.hpp>
#include <vnode/error.hpp>

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
  bool leads;  // the first block of its transfer, which decides the side of all
};

// The dual's rounds are replayed on origins; every combine gets its side as its operands are known.
class Sides {
 public:
  explicit Sides(Schedule& schedule)
      : schedule_(schedule), places_(static_cast<std::size_t>(schedule.nodes())) {
    for (Rank rank = 0; rank < schedule.nodes(); ++rank)
      places_[static_cast<std::size_t>(rank)].assign(static_cast<std::size_t>(schedule.blocks()),
                                                     {rank, rank + 1});
    for (int i = 0; i < static_cast<int>(schedule.rounds().size()); ++i) play(schedule.round(i));
  }

  bool in_order() const { return in_order_; }

 private:
  void play(Round& round) {
    std::map<std::pair<Rank, int>, std::vector<Arrival>> arrivals;
    for (Transfer& transfer : round) {
      bool leads = true;
      std::vector<Origins> incoming;
      for (const Interval& what : schedule_.intervals(transfer.what))
        for (int block = what.first; block < what.last; ++block)
          incoming.push_back(place(transfer.from, block));
      auto next = incoming.begin();
      for (const Interval& into : schedule_.intervals(transfer.into))
        for (int block = into.first; block < into.last; ++block) {
          arrivals[{transfer.to, block}].push_back({&transfer, *next++, leads});
          leads = false;
        }
    }
    for (auto& [where, list] : arrivals) choose_sides(place(where.first, where.second), where.first, list);
    for (auto& [where, list] : arrivals) combine(place(where.first, where.second), list);
  }

  static void choose_sides(const Origins& own, Rank rank, const std::vector<Arrival>& arrivals) {
    const bool alone = arrivals.size() == 1;
    for (const Arrival& arrival : arrivals) {
      if (!arrival.leads) continue;
      const bool before = alone ? arrival.origins.lowest < own.lowest : arrival.transfer->from < rank;
      arrival.transfer->effect = before ? Effect::combine_before : Effect::combine_after;
    }
  }

  void combine(Origins& own, std::vector<Arrival>& arrivals) {
    std::ranges::sort(arrivals, {}, [](const Arrival& a) { return a.transfer->from; });
    std::vector<Origins> operands;
    for (const Effect side : {Effect::combine_before, Effect::combine_after}) {
      for (const Arrival& arrival : arrivals)
        if (arrival.transfer->effect == side) operands.push_back(arrival.origins);
      if (side == Effect::combine_before) operands.push_back(own);
    }
    for (std::size_t i = 1; i < operands.size(); ++i) in_order_ &= operands[i - 1].before(operands[i]);
    own = std::accumulate(operands.begin() + 1, operands.end(), operands[0], joined);
  }

  Origins& place(Rank rank, int block) {
    return places_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(block)];
  }

  Schedule& schedule_;
  std::vector<std::vector<Origins>> places_;
  bool in_order_ = true;
};

void check_received_once(const Schedule& a) {
  std::vector<std::vector<bool>> received(static_cast<std::size_t>(a.nodes()),
                                          std::vector<bool>(static_cast<std::size_t>(a.blocks())));
  for (const Round& round : a.rounds())
    for (const Transfer& transfer : round)
      for (const Interval& into : a.intervals(transfer.into))
        for (int block = into.first; block < into.last; ++block) {
          auto place = received[static_cast<std::size_t>(transfer.to)][static_cast<std::size_t>(block)];
          if (place)
            throw UsageError(fmt::format("node {} receives block {} twice: such a schedule has no dual",
                                         transfer.to, block));
          place = true;
        }
}

}  // namespace

Schedule dual(const Schedule& a) {
  check_received_once(a);
  Schedule result = reversed(a);
  Sides{result};
  return result;
}

std::optional<Schedule> dual_in_order(const Schedule& a) {
  check_received_once(a);
  Schedule result = reversed(a);
  if (!Sides{result}.in_order()) return std::nullopt;
  return result;
}

}  // namespace vnode
