// A graph in which all nodes have the same distances to their neighbours, p / 2^i rounded up, which follow
// each other again and again: segments of broadcasts, of one or of all p at once.
#include "building_blocks/circulant.hpp"

#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace circulant {

constexpr Count rounds{"[p > 1] (k - 1) + ceil(log2 p)", [](const Parameters& parameters) {
                         return CirculantBroadcast(parameters.nodes, parameters.segments).rounds();
                       }};

// Everybody sends to the node at the distance of the round.
bool peers(const Parameters& parameters, int round, Rank from, Rank to) {
  const CirculantBroadcast broadcast(parameters.nodes, parameters.segments);
  return cyclic_distance(from, to, parameters.nodes) == broadcast.distance(round);
}

Schedule broadcast(const Parameters& parameters) {
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

// All p broadcasts, each shifted to its root: what a broadcast sends in a round with a distance, every node
// sends for every root in one message.
Schedule all_gather(const Parameters& parameters) {
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

}  // namespace circulant

namespace registered {

constexpr Algorithm broadcast_circulant = segment_row<circulant::rounds>({
    .name = "broadcast_circulant",
    .build = circulant::broadcast,
    .transfers = "k (p - 1)",
    .best_segments = "sqrt((ceil(log2 p) - 1) t_w m / t_s)",
    .peers = circulant::peers,
    .carriers = hypercube_family,
    .sweep_to = 130,
    .best_for = "long messages, any number of nodes, all pairs linked: no other takes fewer rounds",
    .source = "Traeff 2022, optimal broadcast schedules in logarithmic time",
});
constexpr Algorithm reduce_circulant = dual_row<broadcast_circulant>({
    .name = "reduce_circulant",
    .keeps_order = KeepsOrder::never,
});

constexpr Algorithm all_gather_circulant = block_row<circulant::rounds>({
    .name = "all_gather_circulant",
    .build = circulant::all_gather,
    .peers = circulant::peers,
    .segments = true,
    .carriers = hypercube_family,
    .sweep_to = 130,
    .best_for = "contributions of very different sizes, in segments, any number of nodes",
    .source = "Traeff 2022, optimal broadcast schedules in logarithmic time",
});
constexpr Algorithm reduce_scatter_circulant = dual_row<all_gather_circulant>({
    .name = "reduce_scatter_circulant",
    .keeps_order = KeepsOrder::never,
    .best_for = "results of very different sizes, in segments, any number of nodes",
});

}  // namespace registered
}  // namespace vnode
