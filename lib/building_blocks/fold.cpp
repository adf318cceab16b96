#include "building_blocks/fold.hpp"

#include <vnode/model/compose.hpp>

#include "building_blocks/dimensions.hpp"

namespace vnode {

Schedule Fold::in(int blocks) const {
  Schedule schedule(survivors + folded, blocks);
  if (folded == 0) return schedule;
  Round& round = schedule.next_round();
  for (int i = 0; i < folded; ++i) round.push_back({2 * i, 2 * i + 1, Blocks::whole, Effect::combine_before});
  return schedule;
}

Schedule Fold::out(int blocks) const {
  Schedule schedule(survivors + folded, blocks);
  if (folded == 0) return schedule;
  Round& round = schedule.next_round();
  for (int i = 0; i < folded; ++i) round.push_back({2 * i + 1, 2 * i, Blocks::whole});
  return schedule;
}

Schedule Fold::around(const Schedule& work) const {
  std::vector<Rank> ranks;
  for (int survivor = 0; survivor < survivors; ++survivor) ranks.push_back(rank(survivor));
  return compose::then(compose::then(in(work.blocks()), compose::on_group(work, survivors + folded, ranks)),
                       out(work.blocks()));
}

bool Fold::peers(int round, Rank from, Rank to, const std::vector<int>& dimensions) const {
  const auto survivor = [&](Rank rank) { return rank < 2 * folded ? rank / 2 : rank - folded; };
  const auto is_folded = [&](Rank rank) { return rank < 2 * folded && rank % 2 == 0; };
  const int last = rounds() + static_cast<int>(dimensions.size());
  if (round < rounds()) return is_folded(from) && to == from + 1;
  if (round >= last) return is_folded(to) && from == to + 1;
  return !is_folded(from) && !is_folded(to) &&
         across_dimension(dimensions, round - rounds(), survivor(from), survivor(to));
}

}  // namespace vnode
