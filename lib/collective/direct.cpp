// Everybody offers what it has at once, and fetches what it needs through all its ports: single-copy
// collectives of shared memory. Times hold as long as a node's memory feeds all that read it, and a node
// reads all others, at the speed of one.
#include "building_blocks/alike.hpp"
#include "building_blocks/arrival.hpp"
#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace direct {

Schedule broadcast(const Parameters& parameters) {
  Schedule schedule(parameters.nodes, 1);
  if (parameters.nodes == 1) return schedule;
  Round& round = schedule.next_round();
  for (Rank to = 0; to < parameters.nodes; ++to)
    if (to != parameters.root) round.push_back({parameters.root, to, Blocks::whole});
  return schedule;
}

Schedule all_gather(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  each_pair(parameters, [&](Rank from, Rank to) { round.push_back({from, to, schedule.block(from)}); });
  return schedule;
}

// Its dual: everybody combines its block of all nodes in rank order.
Schedule reduce_scatter(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  each_pair(parameters, [&](Rank to, Rank from) {
    const Effect effect = from < to ? Effect::combine_before : Effect::combine_after;
    round.push_back({from, to, schedule.block(to), effect});
  });
  return schedule;
}

// Everybody combines all messages in rank order.
Schedule all_reduce(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 1);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  each_pair(parameters, [&](Rank from, Rank to) {
    round.push_back({from, to, Blocks::whole, from < to ? Effect::combine_before : Effect::combine_after});
  });
  return schedule;
}

// Every node begins with the next one.
Schedule all_to_all(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  const auto send = [&](Rank from, Rank to) { round.push_back({from, to, schedule.block(from * p + to)}); };
  for (Rank to = 0; to < p; ++to)
    if (parameters.only && to != *parameters.only)
      send(*parameters.only, to);
    else
      for (int i = 1; i < p; ++i) send((to + i) % p, to);
  return schedule;
}

Schedule barrier(const Parameters& parameters) {
  Schedule schedule(parameters.nodes, 0);
  if (parameters.nodes == 1) return schedule;
  Round& round = schedule.next_round();
  each_pair(parameters, [&](Rank from, Rank to) { round.push_back({from, to, Blocks::nothing}); });
  return schedule;
}

Cost reading_all(const Parameters& parameters) { return from_all_at_once(parameters.nodes); }
Cost combining_all(const Parameters& parameters) { return combining(reading_all(parameters)); }
constexpr const char* reading_and_combining = "(t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)";

}  // namespace direct

namespace registered {

constexpr Algorithm broadcast_direct = message_row<one_unless_alone>({
    .name = "broadcast_direct",
    .build = direct::broadcast,
    .transfers = one_per_other_node,
    .peers = [](const Parameters& parameters, int, Rank from, Rank) { return from == parameters.root; },
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory: one board that all read",
    .source = "single-copy broadcast of shared-memory libraries",
});
constexpr Algorithm reduce_direct = reduction_row<broadcast_direct>({
    .name = "reduce_direct",
    .cost = direct::combining_all,
    .time = direct::reading_and_combining,
    .at_once = true,
    .best_for = "shared memory, short messages: one board that the root reads",
    .source = "single-copy reduction of shared-memory libraries; dual of broadcast_direct",
});
constexpr Algorithm scatter_direct = scatter_row<broadcast_direct>({
    .name = "scatter_direct",
    .cost = message_in_each<one_unless_alone>,
    .time = "(t_s + t_w m) min(p - 1, 1)",
    .best_for = "shared memory: everybody fetches its own",
    .source = "single-copy scatter of shared-memory libraries",
});
constexpr Algorithm gather_direct = reversed_row<scatter_direct>({
    .name = "gather_direct",
    .cost = direct::reading_all,
    .best_for = "shared memory: the root fetches everything",
});

constexpr Algorithm all_gather_direct = message_row<one_unless_alone>({
    .name = "all_gather_direct",
    .build = direct::all_gather,
    .cost = direct::reading_all,
    .transfers = one_per_pair,
    .peers = [](const Parameters&, int, Rank from, Rank to) { return from != to; },
    .alike = always,
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory, short messages: one board that all read",
    .source = "single-copy all-gather of shared-memory libraries",
});
constexpr Algorithm reduce_scatter_direct = dual_row<all_gather_direct>({
    .name = "reduce_scatter_direct",
    .build = direct::reduce_scatter,
    .time = direct::reading_and_combining,
    .alike = always,
    .at_once = true,
    .source = "single-copy reduce-scatter of shared-memory libraries; dual of all_gather_direct",
});
constexpr Algorithm all_reduce_one_shot_direct = row_like<all_gather_direct>({
    .name = "all_reduce_one_shot_direct",
    .build = direct::all_reduce,
    .cost = direct::combining_all,
    .time = direct::reading_and_combining,
    .alike = always,
    .at_once = true,
    .best_for = "shared memory, shortest messages: one board that all read",
    .source = "one-shot all-reduce of shared-memory and GPU libraries",
});
// Everybody combines a part of all messages in rank order, then reads all parts.
constexpr Algorithm all_reduce_two_shot_direct = splitting_row<reduce_scatter_direct, all_gather_direct>({
    .name = "all_reduce_two_shot_direct",
    .rounds = "2 min(p - 1, 1)",
    .transfers = "2 p (p - 1)",
    .time = "2 (t_s + t_w m / p) min(p - 1, 1) + t_op m (p - 1) / p",
    .ports = Ports::all,
    .at_once = true,
    .carriers = fully_connected,
    .best_for = "shared memory, long messages: every byte is read twice",
    .source = "two-shot all-reduce of shared-memory and GPU libraries",
});
// Everybody combines a part of all messages in rank order, for the root.
constexpr Algorithm reduce_splitting_direct = splitting_row<reduce_scatter_direct, gather_direct>({
    .name = "reduce_splitting_direct",
    .rounds = "2 min(p - 1, 1)",
    .transfers = "(p + 1) (p - 1)",
    .time = "2 (t_s + t_w m / p) min(p - 1, 1) + t_op m (p - 1) / p",
    .ports = Ports::all,
    .at_once = true,
    .carriers = fully_connected,
    .best_for = "shared memory, long messages: everybody combines its slice of all",
    .source = "loops over slices of shared arrays; the first half of the two-shot all-reduce",
});
// Node 0 combines all messages in rank order and tells all.
constexpr Algorithm all_reduce_central = rootless_row<reduce_direct, broadcast_direct>({
    .name = "all_reduce_central",
    .rounds = "2 min(p - 1, 1)",
    .transfers = "2 (p - 1)",
    .time = "2 (t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)",
    .ports = Ports::all,
    .at_once = true,
    .carriers = fully_connected,
    .best_for = "shared memory, short messages, more nodes than cores: the fewest turns",
    .source = "reduce_direct, then broadcast_direct",
});
constexpr Algorithm all_to_all_direct = row_like<all_gather_direct>({
    .name = "all_to_all_direct",
    .build = direct::all_to_all,
    .alike = always,
    .best_for = "shared memory: every block is copied once",
    .source = "single-copy all-to-all of shared-memory libraries",
});

// All nodes tell all others at once.
constexpr Algorithm barrier_direct = row_like<all_gather_direct>({
    .name = "barrier_direct",
    .build = direct::barrier,
    .cost = [](const Parameters& told) { return Cost{.startups = told.nodes > 1 ? 1.0 : 0.0}; },
    .time = "t_s min(p - 1, 1)",
    .alike = always,
    .best_for = "shared memory, few nodes, a core for each: everybody looks at all others",
    .source = "flat barriers of shared-memory libraries",
});

// All nodes tell node 0 at once; it tells all at once.
constexpr Algorithm barrier_central = barrier_row<broadcast_direct, Turn::in_turn>({
    .name = "barrier_central",
    .rounds = "2 min(p - 1, 1)",
    .time = "2 t_s min(p - 1, 1)",
    .best_for = "shared memory and few nodes: one board that node 0 reads and one that all read",
    .source = "the central counter of Mellor-Crummey and Scott 1991, as messages",
});

}  // namespace registered
}  // namespace vnode
