// exclusive_scan_hillis_steele: scan_hillis_steele without the own contribution.
//   rounds     ceil(log2 p)
//   transfers  p ceil(log2 p) - 2^ceil(log2 p) + 1
//   time       (t_s + t_w m) ceil(log2 p) + t_op m (max(ceil(log2 p) - 1, 0) + max(ceil(log2(p / 3)), 0))
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     Hillis, Steele, Data parallel algorithms, 1986, with results that begin empty
//   picture    p = 6: 1: 0>1[1:0] 0+>1[1] 1>2[1:0] 1+>2[1] 2>3[1:0] 2+>3[1] 3>4[1:0] 4>5[1:0]; 2: 0+>2[1:0]
//              1+>3[1:0] 2+>4[1:0] 3+>5[1:0]; 3: 0+>4[1:0] 1+>5[1:0]
// Block 0 is the result, block 1 the total of the last 1, 2, 4, ... ranks, where somebody above still needs
// it.
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/scan.hpp"

namespace vnode {

Schedule exclusive_scan_hillis_steele(const Parameters& parameters) {
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

namespace registered {

extern constinit const Algorithm exclusive_scan_hillis_steele{
    .name = "exclusive_scan_hillis_steele",
    .collective = Collective::exclusive_scan,
    .build = vnode::exclusive_scan_hillis_steele,
    .cost =
        [](const Parameters& parameters) {
          Cost cost = whole_messages(ceil_log2(parameters.nodes));
          for (int round = 0; round < ceil_log2(parameters.nodes); ++round)
            cost.combined += (round > 0) + (3 << round < parameters.nodes);
          return cost;
        },
    .rounds = {"ceil(log2 p)", Along<scan_hillis_steele>::rounds},
    .transfers = {"p ceil(log2 p) - 2^ceil(log2 p) + 1", Along<scan_hillis_steele>::transfers},
    .time = "(t_s + t_w m) ceil(log2 p) + t_op m (max(ceil(log2 p) - 1, 0) + max(ceil(log2(p / 3)), 0))",
    .peers = Along<scan_hillis_steele>::peers,
    .carriers = hypercube_family,
    .best_for = "short messages, any number of nodes",
    .source = "Hillis, Steele, Data parallel algorithms, 1986, with results that begin empty",
};

}  // namespace registered
}  // namespace vnode
