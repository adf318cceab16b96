#include "collective/reduction.hpp"

#include <vnode/compose.hpp>

#include "collective/formula.hpp"

namespace vnode {

namespace {

Parameters rooted_at_zero(Parameters parameters) {
  parameters.root = 0;
  return parameters;
}

}  // namespace

Schedule reduction(Schedule (*broadcast)(const Parameters&), const Parameters& parameters) {
  if (!parameters.keep_order) return dual(broadcast(parameters));
  if (auto in_order = dual_in_order(broadcast(parameters))) return *std::move(in_order);
  Schedule schedule = dual(broadcast(rooted_at_zero(parameters)));
  schedule.next_round().push_back({0, parameters.root, whole});
  return schedule;
}

Cost ReductionPromises::cost(const Parameters& parameters) const {
  return combining(broadcast.cost(parameters)) + whole_messages(through_zero);
}

bool ReductionPromises::peers(const Parameters& parameters, int round, Rank from, Rank to) const {
  const Parameters reversed = through_zero ? rooted_at_zero(parameters) : parameters;
  const int last = broadcast.rounds.value(reversed) - 1;
  if (round > last) return through_zero && from == 0 && to == parameters.root;
  return broadcast.peers(reversed, last - round, to, from);
}

}  // namespace vnode
