#include "building_blocks/dimensions.hpp"

#include <algorithm>
#include <numeric>

#include "building_blocks/formula.hpp"

namespace vnode {

std::vector<int> lowest_first(int p) {
  std::vector<int> order(static_cast<std::size_t>(ceil_log2(p)));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int> highest_first(int p) {
  std::vector<int> order = lowest_first(p);
  std::ranges::reverse(order);
  return order;
}

Schedule along_dimensions(int p, Rank root, const std::vector<int>& order) {
  Schedule schedule(p, 1);
  int unused = p - 1;  // the dimensions still to come: a holder's relative label is 0 in all of them
  for (const int dimension : order) {
    Round& round = schedule.next_round();
    const int distance = 1 << dimension;
    for (int label = 0; label < p; ++label)
      if ((label & unused) == 0) round.push_back({label ^ root, label ^ distance ^ root, Blocks::whole});
    unused ^= distance;
  }
  return schedule;
}

bool across_dimension(const std::vector<int>& order, int round, Rank from, Rank to) {
  return (from ^ to) == 1 << order[static_cast<std::size_t>(round)];
}

}  // namespace vnode
