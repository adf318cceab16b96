// scan_hypercube: partners along one dimension after the other exchange the totals of their subcubes.
//   rounds     log2 p
//   transfers  p log2 p - p + 1
//   time       (t_s + t_w m) log2 p + t_op m max(2 log2 p - 1, 0)
//   needs      power_of_two
//   ports      single
//   best for   short messages on hypercubes
//   source     Grama et al. 4.3, algorithm 4.9; operands in rank order
//   picture    p = 4: 1: 0+>1[1:0] 0+>1[1] 1>+0[1] 2+>3[1:0]; 2: 0+>2[1:0] 1+>3[1:0]
// Block 0 is the result, block 1 the total of one's subcube; the higher partner of a pair adds one message to
// both. A total that nobody above would hear of is not made, that of all p nodes for one.
#include "collective/dimensions.hpp"
#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule totals_along_dimensions(int p, Prefix prefix) {
  Schedule schedule(p, 2);
  const Blocks result = schedule.block(0), total = schedule.block(1);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    for (Rank from = 0; from < p; ++from) {
      const Rank to = from ^ distance;
      const bool empty = prefix == Prefix::exclusive && to % (2 * distance) == distance;
      const bool topmost = (from | (2 * distance - 1)) == p - 1;
      if (from < to)
        round.push_back({from, to, total, result, empty ? Effect::replace : Effect::combine_before});
      if (!topmost)
        round.push_back({from, to, total, from < to ? Effect::combine_before : Effect::combine_after});
    }
  }
  return schedule;
}

Schedule scan_hypercube(const Parameters& parameters) {
  return totals_along_dimensions(parameters.nodes, Prefix::inclusive);
}

namespace registered {

constinit const Algorithm scan_hypercube{
    .name = "scan_hypercube",
    .collective = Collective::scan,
    .build = vnode::scan_hypercube,
    .cost =
        [](const Parameters& parameters) {
          Cost cost = whole_messages(ceil_log2(parameters.nodes));
          if (parameters.nodes > 1) cost.combined = 2 * cost.received - 1;
          return cost;
        },
    .rounds = one_per_dimension,
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
};

}  // namespace registered
}  // namespace vnode
