#include "draw/spread.hpp"

#include <algorithm>

namespace vnode {
namespace {

/// Neighbours that touch: the first is at the mean of what they want, each less its place in the block.
struct Block {
  double sum = 0;
  int count = 0;
  double position() const { return sum / count; }
};

}  // namespace

// Blocks of neighbours grow until no two touch (pooling of adjacent violators), in terms of i-th position
// less i gaps, which then has to ascend.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double first, double last) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    blocks.push_back({wanted[i] - static_cast<double>(i) * gap, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].position() >= blocks.back().position()) {
      const Block right = blocks.back();
      blocks.pop_back();
      blocks.back().sum += right.sum;
      blocks.back().count += right.count;
    }
  }
  const double most = last - static_cast<double>(std::max<std::size_t>(wanted.size(), 1) - 1) * gap;
  std::vector<double> positions;
  for (const Block& block : blocks)
    for (int i = 0; i < block.count; ++i)
      positions.push_back(std::max(std::min(block.position(), most), first) +
                          static_cast<double>(positions.size()) * gap);
  return positions;
}

}  // namespace vnode
