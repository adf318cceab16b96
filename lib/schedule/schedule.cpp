#include <vnode/schedule.hpp>

#include <algorithm>

#include <vnode/error.hpp>

namespace vnode {

Schedule::Schedule(int nodes, int blocks) : nodes_(nodes), blocks_(blocks), pool_{{0, blocks}}, lists_{whole} {
  if (nodes < 1) throw UsageError("a schedule needs at least one node");
  if (blocks < 0) throw UsageError("a schedule cannot have a negative number of blocks");
}

Round& Schedule::next_round() { return rounds_.emplace_back(); }

Blocks Schedule::blocks_of(std::span<const Interval> intervals) {
  std::vector<Interval> joined;
  for (const Interval& next : intervals) {
    if (next.first == next.last) continue;
    if (!joined.empty() && joined.back().last == next.first)
      joined.back().last = next.last;
    else
      joined.push_back(next);
  }
  if (joined.empty()) return nothing;
  for (const Blocks& list : lists_)
    if (std::ranges::equal(this->intervals(list), joined)) return list;
  const Blocks made{static_cast<std::uint32_t>(pool_.size()), static_cast<std::uint32_t>(joined.size())};
  pool_.insert(pool_.end(), joined.begin(), joined.end());
  return lists_.emplace_back(made);
}

Blocks Schedule::block(int index) { return interval(index, index + 1); }

Blocks Schedule::interval(int first, int last) {
  const Interval one{first, last};
  return blocks_of({&one, 1});
}

std::span<const Interval> Schedule::intervals(Blocks blocks) const {
  if (blocks_ == 0) return {};
  return std::span(pool_).subspan(blocks.first, blocks.count);
}

int Schedule::count(Blocks blocks) const {
  int sum = 0;
  for (const Interval& interval : intervals(blocks)) sum += interval.last - interval.first;
  return sum;
}

}  // namespace vnode
