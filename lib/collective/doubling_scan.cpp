// Prefix sums over 1, 2, 4 ... ranks. Where there are running totals, they are block 1, and the result is
// block 0.
#include "building_blocks/dimensions.hpp"
#include "building_blocks/row.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace doubling_scan {

// p = 2^d nodes, one dimension a round, the lowest first: partners exchange the totals of their subcubes. The
// higher one adds to its result what comes from below. Totals of the topmost subcube are not made: nobody is
// above it.
template <Collective collective>
Schedule hypercube(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 2);
  const Blocks result = schedule.block(0), total = schedule.block(1);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    for (Rank from = 0; from < p; ++from) {
      const Rank to = from ^ distance;
      const bool empty = collective == Collective::exclusive_scan && to % (2 * distance) == distance;
      const bool topmost = (from | (2 * distance - 1)) == p - 1;
      if (from < to)
        round.push_back({from, to, total, result, empty ? Effect::replace : Effect::combine_before});
      if (!topmost)
        round.push_back({from, to, total, from < to ? Effect::combine_before : Effect::combine_after});
    }
  }
  return schedule;
}

// In every round the higher partner adds one message to both; in the last nobody wants totals, and in the
// first an exclusive result begins to be.
template <Collective collective>
Cost hypercube_cost(const Parameters& parameters) {
  Cost cost = message_in_each<one_per_dimension>(parameters);
  if (parameters.nodes > 1)
    cost.combined = 2 * cost.received - (collective == Collective::exclusive_scan ? 2 : 1);
  return cost;
}

// Every rank adds what the rank 1, 2, 4, ... below has so far.
Schedule hillis_steele(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 1);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    for (Rank from = 0; from + distance < p; ++from)
      round.push_back({from, from + distance, Blocks::whole, Effect::combine_before});
  }
  return schedule;
}

// The total of the last 1, 2, 4, ... ranks is kept where somebody above still needs it.
Schedule exclusive_hillis_steele(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 2);
  const Blocks result = schedule.block(0), total = schedule.block(1);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    for (Rank to = distance; to < p; ++to) {
      const Rank from = to - distance, next = to + 2 * distance;
      round.push_back({from, to, total, result, distance == 1 ? Effect::replace : Effect::combine_before});
      if (next < p) round.push_back({from, to, total, Effect::combine_before});
    }
  }
  return schedule;
}

Cost exclusive_hillis_steele_cost(const Parameters& parameters) {
  Cost cost = message_in_each<one_per_doubling>(parameters);
  for (int round = 0; round < ceil_log2(parameters.nodes); ++round)
    cost.combined += (round > 0) + (3 << round < parameters.nodes);
  return cost;
}

}  // namespace doubling_scan

namespace registered {

constexpr Algorithm scan_hypercube = row({
    .name = "scan_hypercube",
    .build = doubling_scan::hypercube<Collective::scan>,
    .cost = doubling_scan::hypercube_cost<Collective::scan>,
    .rounds = one_per_dimension.text,
    .transfers = {"p log2 p - p + 1",
                  [](const Parameters& parameters) {
                    const int p = parameters.nodes;
                    return p * ceil_log2(p) - (p - 1);
                  }},
    .time = "(t_s + t_w m) log2 p + t_op m max(2 log2 p - 1, 0)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(lowest_first(parameters.nodes), round, from, to); },
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.3, algorithm 4.9; operands in rank order",
});
constexpr Algorithm exclusive_scan_hypercube = row_like<scan_hypercube>({
    .name = "exclusive_scan_hypercube",
    .build = doubling_scan::hypercube<Collective::exclusive_scan>,
    .cost = doubling_scan::hypercube_cost<Collective::exclusive_scan>,
    .time = "(t_s + t_w m) log2 p + 2 t_op m max(log2 p - 1, 0)",
    .source = "Grama et al. 4.3, algorithm 4.9, with results that begin empty",
});

constexpr Algorithm scan_hillis_steele = row({
    .name = "scan_hillis_steele",
    .build = doubling_scan::hillis_steele,
    .cost = [](const Parameters& told) { return combining(message_in_each<one_per_doubling>(told)); },
    .rounds = one_per_doubling.text,
    .transfers = {"p ceil(log2 p) - 2^ceil(log2 p) + 1",
                  [](const Parameters& parameters) {
                    const int rounds = ceil_log2(parameters.nodes);
                    return parameters.nodes * rounds - ((1 << rounds) - 1);
                  }},
    .time = "(t_s + (t_w + t_op) m) ceil(log2 p)",
    .peers = [](const Parameters&, int round, Rank from, Rank to) { return to - from == 1 << round; },
    .carriers = hypercube_family,
    .best_for = "short messages, any number of nodes",
    .source = "Hillis, Steele, Data parallel algorithms, 1986",
});
constexpr Algorithm exclusive_scan_hillis_steele = row_like<scan_hillis_steele>({
    .name = "exclusive_scan_hillis_steele",
    .build = doubling_scan::exclusive_hillis_steele,
    .cost = doubling_scan::exclusive_hillis_steele_cost,
    .time = "(t_s + t_w m) ceil(log2 p) + t_op m (max(ceil(log2 p) - 1, 0) + max(ceil(log2(p / 3)), 0))",
    .source = "Hillis, Steele, Data parallel algorithms, 1986, with results that begin empty",
});

}  // namespace registered
}  // namespace vnode
