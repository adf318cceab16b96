#include "collective/splitting.hpp"

#include <bit>
#include <numeric>
#include <vector>

#include <vnode/compose.hpp>

#include "collective/repeats.hpp"

namespace vnode {

Schedule split_broadcast(const Schedule& scatter, const Schedule& all_gather, Rank root) {
  const Schedule both = then(scatter, all_gather);
  std::vector<std::vector<int>> held(static_cast<std::size_t>(both.nodes()));
  std::vector<int>& all = held[static_cast<std::size_t>(root)];
  all.resize(static_cast<std::size_t>(both.blocks()));
  std::iota(all.begin(), all.end(), 0);
  return without_repeats(both, held);
}

int ones_below(int n) {
  int ones = 0;
  for (int i = 0; i < n; ++i) ones += std::popcount(static_cast<unsigned>(i));
  return ones;
}

}  // namespace vnode
