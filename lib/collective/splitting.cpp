#include "collective/splitting.hpp"

#include <bit>

#include <vnode/compose.hpp>

namespace vnode {

Schedule split_broadcast(const Schedule& scatter, const Schedule& all_gather, Rank root) {
  const Schedule both = then(scatter, all_gather);
  const auto blocks = static_cast<std::size_t>(both.blocks());
  std::vector<std::vector<bool>> held(static_cast<std::size_t>(both.nodes()), std::vector<bool>(blocks));
  held[static_cast<std::size_t>(root)].assign(blocks, true);
  Schedule schedule(both.nodes(), both.blocks());
  for (const Round& round : both.rounds()) {
    Round& next = schedule.next_round();
    for (const Transfer& t : round) {
      std::vector<Interval> news;
      for (const Interval& interval : both.intervals(t.what))
        for (int block = interval.first; block < interval.last; ++block)
          if (!held[static_cast<std::size_t>(t.to)][static_cast<std::size_t>(block)])
            news.push_back({block, block + 1});
      if (!news.empty()) next.push_back({t.from, t.to, schedule.blocks_of(news)});
    }
    for (const Transfer& t : next)
      for (const Interval& interval : schedule.intervals(t.what))
        for (int block = interval.first; block < interval.last; ++block)
          held[static_cast<std::size_t>(t.to)][static_cast<std::size_t>(block)] = true;
  }
  return schedule;
}

int ones_below(int n) {
  int ones = 0;
  for (int i = 0; i < n; ++i) ones += std::popcount(static_cast<unsigned>(i));
  return ones;
}

}  // namespace vnode
