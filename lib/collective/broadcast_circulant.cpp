// broadcast_circulant: segments through a graph where all have the same distances to their neighbours.
//   rounds     [p > 1] (k - 1) + ceil(log2 p)
//   transfers  k (p - 1)
//   time       ([p > 1] (k - 1) + ceil(log2 p)) (t_s + t_w m / k)
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes, all pairs linked: no other takes fewer rounds
//   source     Traeff 2022, optimal broadcast schedules in logarithmic time
//   picture    p = 5, root 0, segments 2: 1: 0>3[0]; 2: 0>1[1] 3>4[0]; 3: 4>1[0] 0>2[1]; 4: 4>2[0] 0>3[1]
//              1>4[1]
// k segments. The distances, p / 2^i rounded up, follow each other again and again.
#include "collective/circulant.hpp"

namespace vnode {

Schedule broadcast_circulant(const Parameters& parameters) {
  const int p = parameters.nodes, k = parameters.segments;
  const auto rank = [&](int label) { return (label + parameters.root) % p; };
  const CirculantBroadcast broadcast(p, k);
  Schedule schedule(p, k);
  std::vector<Blocks> blocks;
  for (int segment = 0; segment < k; ++segment) blocks.push_back(schedule.block(segment));
  for (const auto& receipts : broadcast.receipts()) {
    const int distance = broadcast.distance(static_cast<int>(schedule.rounds().size()));
    Round& round = schedule.next_round();
    for (const auto& [label, block] : receipts)
      round.push_back({rank(label + p - distance), rank(label), blocks[static_cast<std::size_t>(block)]});
  }
  return schedule;
}

namespace registered {

constinit const Algorithm broadcast_circulant{
    .name = "broadcast_circulant",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_circulant,
    .cost = segment_in_each<circulant_rounds>,
    .rounds = circulant_rounds,
    .transfers = {"k (p - 1)",
                  [](const Parameters& parameters) { return parameters.segments * (parameters.nodes - 1); }},
    .time = "([p > 1] (k - 1) + ceil(log2 p)) (t_s + t_w m / k)",
    .peers = circulant_peers,
    .segments = true,
    .carriers = hypercube_family,
    .sweep_to = 130,
    .best_for = "long messages, any number of nodes, all pairs linked: no other takes fewer rounds",
    .source = "Traeff 2022, optimal broadcast schedules in logarithmic time",
};

}  // namespace registered
}  // namespace vnode
