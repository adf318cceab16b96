#include "building_blocks/repeats.hpp"

#include <numeric>
#include <utility>

#include <vnode/model/compose.hpp>

#include "schedule/each_block.hpp"

namespace vnode {

Schedule without_repeats(const Schedule& a, std::span<const std::vector<int>> held) {
  const auto blocks = static_cast<std::size_t>(a.blocks());
  std::vector<std::vector<bool>> there(static_cast<std::size_t>(a.nodes()), std::vector<bool>(blocks));
  for (std::size_t rank = 0; rank < held.size(); ++rank)
    for (const int block : held[rank]) there[rank][static_cast<std::size_t>(block)] = true;
  Schedule result(a.nodes(), a.blocks());
  for (const Round& round : a.rounds()) {
    Round next;
    for (const Transfer& t : round) {
      std::vector<Interval> news;
      each_block(a.intervals(t.what), [&](int block) {
        if (!there[static_cast<std::size_t>(t.to)][static_cast<std::size_t>(block)])
          news.push_back({block, block + 1});
      });
      if (!news.empty()) next.push_back({t.from, t.to, result.blocks_of(news)});
    }
    for (const Transfer& t : next)
      each_block(result.intervals(t.what), [&](int block) {
        there[static_cast<std::size_t>(t.to)][static_cast<std::size_t>(block)] = true;
      });
    result.next_round() = std::move(next);
  }
  return result;
}

Schedule split_broadcast(const Schedule& scatter, const Schedule& all_gather, Rank root) {
  const Schedule both = compose::then(scatter, all_gather);
  std::vector<std::vector<int>> held(static_cast<std::size_t>(both.nodes()));
  std::vector<int>& all = held[static_cast<std::size_t>(root)];
  all.resize(static_cast<std::size_t>(both.blocks()));
  std::iota(all.begin(), all.end(), 0);
  return without_repeats(both, held);
}

}  // namespace vnode
