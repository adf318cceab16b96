#include "data/work.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace vnode::bench {
namespace {

std::vector<int> blocks_of(const std::vector<Interval>& intervals) {
  std::vector<int> blocks;
  for (const Interval& interval : intervals)
    for (int block = interval.first; block < interval.last; ++block) blocks.push_back(block);
  return blocks;
}

std::byte* at(const Vectors& vectors, const Location& location, std::size_t bytes) {
  return vectors[location.rank] + static_cast<std::size_t>(location.place) * bytes;
}

// A fold in which some other delivery begins is the same fold; the longest list is the whole.
using Folds = std::map<std::pair<Rank, int>, Fold>;

void add(Folds& folds, const Delivery& delivery, const Vectors& in, std::byte* to, std::size_t bytes) {
  Fold& fold = folds[{delivery.from.front().rank, delivery.from.front().place}];
  for (std::size_t i = fold.from.size(); i < delivery.from.size(); ++i)
    fold.from.push_back(at(in, delivery.from[i], bytes));
  fold.taps.push_back({delivery.to.rank, to, static_cast<int>(delivery.from.size())});
}

}  // namespace

Deliveries deliveries(const Contract& contract) {
  Deliveries all;
  std::vector<std::vector<Location>> bringing(static_cast<std::size_t>(contract.blocks));
  for (Rank rank = 0; rank < contract.nodes(); ++rank) {
    const std::vector<int> blocks = blocks_of(contract.shares[static_cast<std::size_t>(rank)].input);
    all.brought.push_back(static_cast<int>(blocks.size()));
    for (int place = 0; place < all.brought.back(); ++place) {
      const int block = contract.original(blocks[static_cast<std::size_t>(place)]);
      bringing[static_cast<std::size_t>(block)].push_back({rank, place});
    }
  }
  for (Rank rank = 0; rank < contract.nodes(); ++rank) {
    const Share& share = contract.shares[static_cast<std::size_t>(rank)];
    const std::vector<int> blocks = blocks_of(share.output);
    all.taken.push_back(static_cast<int>(blocks.size()));
    for (int place = 0; place < all.taken.back(); ++place) {
      Delivery& delivery = all.list.emplace_back(Delivery{{rank, place}, {}});
      const int block = contract.original(blocks[static_cast<std::size_t>(place)]);
      for (const Location& location : bringing[static_cast<std::size_t>(block)])
        if (share.origins.first <= location.rank && location.rank < share.origins.last)
          delivery.from.push_back(location);
    }
  }
  return all;
}

Work work(const Deliveries& deliveries, const Vectors& in, const Vectors& out, std::size_t bytes) {
  Work all{bytes, {}, {}};
  const bool combining =
      std::ranges::any_of(deliveries.list, [](const Delivery& delivery) { return delivery.from.size() > 1; });
  Folds folds;
  for (const Delivery& delivery : deliveries.list) {
    std::byte* const to = at(out, delivery.to, bytes);
    const Location& first = delivery.from.front();
    if (combining)
      add(folds, delivery, in, to, bytes);
    else if (to != at(in, first, bytes))
      all.movements.push_back({first.rank, delivery.to.rank, at(in, first, bytes), to});
  }
  for (auto& [first, fold] : folds) {
    std::ranges::stable_sort(fold.taps, {}, &Fold::Tap::after);
    all.folds.push_back(std::move(fold));
  }
  return all;
}

Work wanted_by(const Work& work, Rank taker) {
  Work part{work.bytes, {}, {}};
  std::ranges::copy_if(work.movements, std::back_inserter(part.movements),
                       [=](const Movement& movement) { return movement.taker == taker; });
  for (Fold fold : work.folds) {
    std::erase_if(fold.taps, [=](const Fold::Tap& tap) { return tap.taker != taker; });
    if (fold.taps.empty()) continue;
    fold.from.resize(static_cast<std::size_t>(fold.taps.back().after));
    part.folds.push_back(std::move(fold));
  }
  return part;
}

Work own_first(Work work, Rank caller) {
  for (Fold& fold : work.folds)
    std::ranges::stable_sort(fold.taps, {}, [=](const Fold::Tap& tap) {
      return std::pair{tap.after, tap.taker == caller ? 0 : 1};
    });
  return work;
}

}  // namespace vnode::bench
