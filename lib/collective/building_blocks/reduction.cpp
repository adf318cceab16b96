#include "collective/building_blocks/reduction.hpp"

#include <vnode/lab/compose.hpp>

namespace vnode {

namespace {

Parameters rooted_at_zero(Parameters parameters) {
  parameters.root = 0;
  return parameters;
}

}  // namespace

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
