// Prefix sums of shared memory, through all ports: everybody reads ranks below it. Times hold as long as a
// node reads them at the speed of one. Of an exclusive scan block 0 is the result and block 1 the own
// contribution.
#include <algorithm>
#include <utility>

#include "building_blocks/row.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace direct_scan {

// In two levels: every rank reads those below it in its group, then the totals of groups below. ceil(sqrt p)
// consecutive ranks are a group.
int group_size(int p) {
  int size = 1;
  while (size * size < p) ++size;
  return size;
}

constexpr Count rounds{"min(p - 1, 2)",
                       [](const Parameters& parameters) { return std::min(2, parameters.nodes - 1); }};

// The result of a group's last rank is its total.
Schedule scan(const Parameters& parameters) {
  const int p = parameters.nodes, g = group_size(p);
  Schedule schedule(p, 1);
  if (p > 1) schedule.next_round();
  for (Rank to = 0; to < p; ++to)
    for (Rank from = to - to % g; from < to; ++from)
      schedule.round(0).push_back({from, to, Blocks::whole, Effect::combine_before});
  if (p > g) schedule.next_round();
  for (Rank to = g; to < p; ++to)
    for (Rank last = g - 1; last < to - to % g; last += g)
      schedule.round(1).push_back({last, to, Blocks::whole, Effect::combine_before});
  return schedule;
}

Cost scan_cost(const Parameters& parameters) {
  const int p = parameters.nodes, g = group_size(p);
  const double received = (g - 1) + (p - 1) / g, steps = rounds.value(parameters);
  return {steps, steps, received, received};
}

bool scan_peers(const Parameters& parameters, int round, Rank from, Rank to) {
  const int g = group_size(parameters.nodes);
  return round == 0 ? from / g == to / g && from < to : from / g < to / g && from % g == g - 1;
}

// Block 1 becomes the total of the group on its last rank, unless it is the last group.
Schedule exclusive_scan(const Parameters& parameters) {
  const int p = parameters.nodes, g = group_size(p);
  Schedule schedule(p, 2);
  const Blocks result = schedule.block(0), total = schedule.block(1);
  if (p > 1) schedule.next_round();
  for (Rank to = 0; to < p; ++to)
    for (Rank from = to - to % g; from < to; ++from) {
      const Effect effect = to % g == 1 ? Effect::replace : Effect::combine_before;
      schedule.round(0).push_back({from, to, total, result, effect});
      if (to % g == g - 1 && to < p - 1)
        schedule.round(0).push_back({from, to, total, Effect::combine_before});
    }
  if (p > g) schedule.next_round();
  for (Rank to = g; to < p; ++to)
    for (Rank last = g - 1; last < to - to % g; last += g)
      schedule.round(1).push_back(
          {last, to, total, result, to == g ? Effect::replace : Effect::combine_before});
  return schedule;
}

Cost exclusive_scan_cost(const Parameters& parameters) {
  const int p = parameters.nodes, g = group_size(p);
  const int results = std::max(g - 2, 0), totals = p > g ? g - 1 : 0;
  Cost cost = scan_cost(parameters);
  cost.combined = results + totals + std::max(p - 2, 0) / g;
  return cost;
}

Schedule one_shot_scan(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 1);
  if (p == 1) return schedule;
  Round& round = schedule.next_round();
  for (Rank to = 1; to < p; ++to)
    for (Rank from = 0; from < to; ++from) round.push_back({from, to, Blocks::whole, Effect::combine_before});
  return schedule;
}

Schedule one_shot_exclusive_scan(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 2);
  if (p == 1) return schedule;
  const Blocks result = schedule.block(0), own = schedule.block(1);
  Round& round = schedule.next_round();
  for (Rank to = 1; to < p; ++to)
    for (Rank from = 0; from < to; ++from)
      round.push_back({from, to, own, result, to == 1 ? Effect::replace : Effect::combine_before});
  return schedule;
}

// Node s combines slice s of all nodes for all of them: of copy j it makes rank j's result.
Schedule splitting_scan(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  if (p == 1) return schedule;
  Round there, back;
  for (Rank own = 0; own < p; ++own) {
    const Blocks slice = schedule.block((p - 1) * p + own);
    for (Rank to = 0; to < p; ++to) {
      const Blocks result = schedule.block(to * p + own);
      for (Rank from = 0; from <= to; ++from)
        if (from != own)
          there.push_back({from, own, slice, result,
                           to == 0      ? Effect::replace
                           : from < own ? Effect::combine_before
                                        : Effect::combine_after});
      if (to != own) back.push_back({own, to, result});
    }
  }
  schedule.next_round() = std::move(there);
  schedule.next_round() = std::move(back);
  return schedule;
}

}  // namespace direct_scan

namespace registered {

constexpr Algorithm scan_direct = row({
    .name = "scan_direct",
    .build = direct_scan::scan,
    .cost = direct_scan::scan_cost,
    .rounds = direct_scan::rounds.text,
    .transfers = {"(f g (g - 1) + g f (f - 1) + e (e - 1)) / 2 + e f, where g = ceil(sqrt(p)), f = floor(p / "
                  "g), e = p - f g",
                  [](const Parameters& parameters) {
                    const int g = direct_scan::group_size(parameters.nodes);
                    int sum = 0;
                    for (Rank rank = 0; rank < parameters.nodes; ++rank) sum += rank % g + rank / g;
                    return sum;
                  }},
    .time = "(t_s + t_w m) min(p - 1, 2) + t_op m (g - 1 + floor((p - 1) / g)), where g = ceil(sqrt(p))",
    .peers = direct_scan::scan_peers,
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory",
    .source = "the scan of shared-memory libraries, in blocks of ranks",
});
constexpr Algorithm exclusive_scan_direct = row_like<scan_direct>({
    .name = "exclusive_scan_direct",
    .build = direct_scan::exclusive_scan,
    .cost = direct_scan::exclusive_scan_cost,
    .time = "(t_s + t_w m) min(p - 1, 2) + t_op m ((g - 2) [g > 2] + (g - 1) [p > g] + floor(max(p - 2, "
            "0) / g)), where g = ceil(sqrt(p))",
});

constexpr Algorithm scan_one_shot_direct = row({
    .name = "scan_one_shot_direct",
    .build = direct_scan::one_shot_scan,
    .cost = [](const Parameters& told) { return combining(from_all_at_once(told.nodes)); },
    .rounds = one_unless_alone.text,
    .transfers = {"p (p - 1) / 2", [](const Parameters& told) { return told.nodes * (told.nodes - 1) / 2; }},
    .time = "(t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)",
    .peers = [](const Parameters&, int, Rank from, Rank to) { return from < to; },
    .ports = Ports::all,
    .at_once = true,
    .carriers = fully_connected,
    .best_for = "shared memory, shortest messages; deterministic prefix sums of any number of nodes",
    .source = "ours: one-shot all-reduce, without the ranks above",
});
constexpr Algorithm exclusive_scan_one_shot_direct = row_like<scan_one_shot_direct>({
    .name = "exclusive_scan_one_shot_direct",
    .build = direct_scan::one_shot_exclusive_scan,
    .cost =
        [](const Parameters& parameters) {
          Cost cost = from_all_at_once(parameters.nodes);
          cost.combined = std::max(parameters.nodes - 2, 0);
          return cost;
        },
    .time = "(t_s + t_w m) min(p - 1, 1) + t_op m (p - 2) [p > 2]",
});

// In the schedule each result is combined by itself; where it is run, each goes on from the one before.
constexpr Algorithm scan_splitting_direct = row({
    .name = "scan_splitting_direct",
    .build = direct_scan::splitting_scan,
    .cost =
        [](const Parameters& told) {
          const double p = told.nodes, rounds = 2.0 * one_unless_alone.value(told);
          return Cost{rounds, rounds / p, 2 * (p - 1) / p, (p - 1) / 2};
        },
    .rounds = "2 min(p - 1, 1)",
    .transfers = {"2 p (p - 1)", [](const Parameters& told) { return 2 * one_per_pair.value(told); }},
    .time = "2 (t_s + t_w m / p) min(p - 1, 1) + t_op m (p - 1) / 2",
    .peers = [](const Parameters&, int, Rank from, Rank to) { return from != to; },
    .ports = Ports::all,
    .needs = few_nodes,
    .at_once = true,
    .carriers = fully_connected,
    .best_for = "shared memory, long messages: everybody combines its slice of all",
    .source = "loops over slices of shared arrays",
});

}  // namespace registered
}  // namespace vnode
