#include "building_blocks/composition.hpp"

#include <algorithm>

#include <vnode/model/compose.hpp>

namespace vnode {

namespace {

Parameters rooted_at_zero(Parameters parameters) {
  parameters.root = 0;
  return parameters;
}

}  // namespace

Schedule personalized(const Schedule& broadcast) {
  const int p = broadcast.nodes();
  std::vector<std::vector<Interval>> gathered;  // by rank: what it has, when time runs backwards
  for (Rank rank = 0; rank < p; ++rank) gathered.push_back({{rank, rank + 1}});
  const auto at = [&](Rank rank) -> std::vector<Interval>& {
    return gathered[static_cast<std::size_t>(rank)];
  };
  Schedule gather(p, p);
  for (auto round = broadcast.rounds().rbegin(); round != broadcast.rounds().rend(); ++round) {
    Round& next = gather.next_round();
    for (const Transfer& t : *round) {
      next.push_back({t.to, t.from, gather.blocks_of(at(t.to))});
      std::vector<Interval>& list = at(t.from);
      const auto own = static_cast<std::ptrdiff_t>(list.size());
      list.insert(list.end(), at(t.to).begin(), at(t.to).end());
      std::inplace_merge(list.begin(), list.begin() + own, list.end(),
                         [](const Interval& a, const Interval& b) { return a.first < b.first; });
    }
  }
  return compose::reversed(gather);
}

Schedule reduction(const Algorithm& broadcast, const Parameters& parameters) {
  if (!parameters.keep_order) return compose::dual(broadcast.build(parameters));
  if (auto in_order = compose::dual_in_order(broadcast.build(parameters))) return *std::move(in_order);
  Schedule schedule = compose::dual(broadcast.build(rooted_at_zero(parameters)));
  schedule.next_round().push_back({0, parameters.root, Blocks::whole});
  return schedule;
}

bool reduction_peers(const Algorithm& broadcast, bool through_zero, const Parameters& parameters, int round,
                     Rank from, Rank to) {
  const Parameters reversed = through_zero ? rooted_at_zero(parameters) : parameters;
  const int last = rounds(broadcast, reversed) - 1;
  if (round > last) return through_zero && from == 0 && to == parameters.root;
  return broadcast.peers(reversed, last - round, to, from);
}

}  // namespace vnode
