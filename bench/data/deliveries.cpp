#include "data/deliveries.hpp"

namespace vnode::bench {
namespace {

std::vector<int> blocks_of(const std::vector<Interval>& intervals) {
  std::vector<int> blocks;
  for (const Interval& interval : intervals)
    for (int block = interval.first; block < interval.last; ++block) blocks.push_back(block);
  return blocks;
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

}  // namespace vnode::bench
