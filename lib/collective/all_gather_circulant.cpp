// all_gather_circulant: all p broadcasts in a circulant graph at once, each shifted to its root.
//   rounds     [p > 1] (k - 1) + ceil(log2 p)
//   transfers  p ([p > 1] (k - 1) + ceil(log2 p))
//   time       t_s ([p > 1] (k - 1) + ceil(log2 p)) + t_w m (p - 1)
//   needs      nothing
//   ports      single
//   best for   contributions of very different sizes, in segments, any number of nodes
//   source     Traeff 2022, optimal broadcast schedules in logarithmic time
//   picture    p = 5: 1: 4>0[4] 0>1[0] 1>2[1] 2>3[2] 3>4[3]; 2: 3>0[3] 4>1[4] 0>2[0] 1>3[1] 2>4[2]; 3:
//              2>0[1-2] 3>1[2-3] 4>2[3-4] 0>3[4,0] 1>4[0-1]
// k segments. What broadcast_circulant sends in a round with a distance, every node sends for every root in
// one message.
#include "collective/circulant.hpp"

namespace vnode {

Schedule all_gather_circulant(const Parameters& parameters) {
  const int p = parameters.nodes, k = parameters.segments;
  const CirculantBroadcast broadcast(p, k);
  Schedule schedule(p, p * k);
  for (const auto& receipts : broadcast.receipts()) {
    const int distance = broadcast.distance(static_cast<int>(schedule.rounds().size()));
    Round& round = schedule.next_round();
    for (Rank to = 0; to < p; ++to) {
      std::vector<Interval> of_all_roots;
      for (auto receipt = receipts.rbegin(); receipt != receipts.rend(); ++receipt) {
        const int block = (to + p - receipt->label) % p * k + receipt->block;
        of_all_roots.push_back({block, block + 1});
      }
      round.push_back({(to + p - distance) % p, to, schedule.blocks_of(of_all_roots)});
    }
  }
  return schedule;
}

namespace registered {

constinit const Algorithm all_gather_circulant{
    .name = "all_gather_circulant",
    .collective = Collective::all_gather,
    .build = vnode::all_gather_circulant,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(circulant_rounds.value(parameters), parameters.nodes);
        },
    .rounds = circulant_rounds,
    .transfers = {"p ([p > 1] (k - 1) + ceil(log2 p))",
                  [](const Parameters& parameters) {
                    return parameters.nodes * circulant_rounds.value(parameters);
                  }},
    .time = "t_s ([p > 1] (k - 1) + ceil(log2 p)) + t_w m (p - 1)",
    .peers = circulant_peers,
    .segments = true,
    .carriers = hypercube_family,
    .sweep_to = 130,
    .best_for = "contributions of very different sizes, in segments, any number of nodes",
    .source = "Traeff 2022, optimal broadcast schedules in logarithmic time",
};

}  // namespace registered
}  // namespace vnode
