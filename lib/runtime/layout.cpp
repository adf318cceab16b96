#include "runtime/layout.hpp"

#include <algorithm>

namespace vnode {

std::vector<Position> positions(const Contract& contract, const BlockSizes& sizes,
                                const std::vector<Interval>& share) {
  std::vector<Position> list;
  std::size_t offset = 0;
  for (const Interval& interval : share)
    for (int block = interval.first; block < interval.last; ++block) {
      const int original = contract.original(block);
      if (original != block)
        if (const auto known = std::ranges::find(
                list, original, [&](const Position& one) { return contract.original(one.block); });
            known != list.end()) {
          list.push_back({block, known->offset});
          continue;
        }
      list.push_back({block, offset});
      offset += sizes.bytes(block);
    }
  return list;
}

}
