// A graph in which all nodes have the same distances to their neighbours, p / 2^i rounded up, which follow
// each other again and again: segments of broadcasts, of one or of all p at once.
#include "collective/circulant.hpp"

#include <algorithm>
#include <bit>

#include "base/at.hpp"
#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace circulant {

// Returns the base block of every label: k of the last distance s_k, where always the largest that fits is
// taken away. The root's is q.
std::vector<int> base_blocks(int p, int q) {
  std::vector<int> base{q};
  for (int k = 0; k < q; ++k) {
    const int distance = circulant_distance(p, k), next = circulant_distance(p, k + 1);
    for (int label = distance; label < next; ++label)
      base.push_back(label == distance ? k : at(base, label - distance));
  }
  return base;
}

}  // namespace circulant

// In turn for k, a node takes the largest base block that it has not yet, its own among those it has, of the
// labels that are s_k .. s_(k+1) - 1 below it; of the one s_(k+1) below if there is none. The root's stands
// for its own. Labels are those of two turns, so that an interval needs no mod; the base blocks of any
// `width` of them are those of the first and of the last `length`, a power of two.
std::vector<std::vector<std::int8_t>> circulant_schedules(int p) {
  const int q = ceil_log2(p);
  const std::vector<int> base = circulant::base_blocks(p, q);
  std::vector<std::uint32_t> sets;  // by label: base blocks of `length` labels from it on, as bits
  for (int label = 0; label < 2 * p; ++label) sets.push_back(1u << at(base, label % p));
  std::vector<std::uint32_t> taken(sets.begin(), sets.begin() + p);
  std::vector<std::vector<std::int8_t>> places(static_cast<std::size_t>(q),
                                               std::vector<std::int8_t>(static_cast<std::size_t>(p)));
  int length = 1;
  for (int k = 0; k < q; ++k) {
    const int near = circulant_distance(p, k), far = circulant_distance(p, k + 1), width = far - near;
    for (; 2 * length <= width; length *= 2)
      for (int label = 0; label + 2 * length <= 2 * p; ++label) at(sets, label) |= at(sets, label + length);
    for (int label = 1; label < p; ++label) {
      const int first = label + p - far + 1, last = label + p - near;
      std::uint32_t free = (at(sets, first) | at(sets, last - length + 1)) & ~at(taken, label);
      if (free == 0) free = 1u << at(base, (label + p - far) % p);
      const int largest = static_cast<int>(std::bit_width(free)) - 1;
      at(taken, label) |= 1u << largest;
      at(at(places, k), label) = static_cast<std::int8_t>(largest == q ? at(base, label) : largest - q);
    }
  }
  return places;
}

// The last phase begins with round n - 1. There, and nowhere else, a node gets one number from n - 1 on, in
// the place of its own base block: that is the last block.
std::vector<std::vector<CirculantBroadcast::Receipt>> CirculantBroadcast::receipts() const {
  const std::vector<std::vector<std::int8_t>> places = circulant_schedules(p_);
  std::vector<std::vector<Receipt>> all(static_cast<std::size_t>(rounds()));
  for (int round = 0; round < rounds(); ++round) {
    const int turn = round + skipped(), k = turn % q_;
    for (int label = 1; label < p_; ++label) {
      const int number = at(at(places, k), label) + round - k;
      if (number >= 0) at(all, round).push_back({label, std::min(number, blocks_ - 1)});
    }
  }
  return all;
}

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
