#include "draw/spacing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace vnode {

void move_apart(std::vector<Contact>& contacts, double gap) {
  constexpr double turn = 2 * std::numbers::pi;
  constexpr int most_passes = 60;
  const std::size_t n = contacts.size();
  if (n < 2) return;
  gap = std::min(gap, 0.98 * turn / static_cast<double>(n));
  for (Contact& contact : contacts) contact.angle -= turn * std::floor(contact.angle / turn);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t contact) { return contacts[contact].angle; });
  bool close = true;
  for (int pass = 0; close && pass < most_passes; ++pass) {
    close = false;
    for (std::size_t i = 0; i < n; ++i) {
      Contact &one = contacts[order[i]], &next = contacts[order[(i + 1) % n]];
      const double lack = gap - (next.angle - one.angle + (i + 1 == n ? turn : 0));
      if (lack < 1e-3 || (one.fixed && next.fixed)) continue;
      close = true;
      const double share = one.fixed ? 0 : next.fixed ? 1 : 0.5;
      one.angle -= share * lack;
      next.angle += (1 - share) * lack;
    }
  }
}

namespace {

/// Holds neighbours that touch: the first is at the mean of what they want, each less its place in the block.
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
