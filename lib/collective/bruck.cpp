// Everybody sends 1, 2, 4 ... ranks on or back: the fewest rounds for any number of nodes.
#include <algorithm>

#include "building_blocks/alike.hpp"
#include "building_blocks/composition.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace bruck {

// The run of blocks that begins with the own goes back; blocks go to their places at once.
Schedule all_gather(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    const int run = std::min(distance, p - distance);
    each_node(parameters, (parameters.only.value_or(0) + distance) % p, [&](Rank rank) {
      const Interval run_around[] = {{rank, std::min(rank + run, p)}, {0, std::max(rank + run - p, 0)}};
      round.push_back({rank, (rank - distance + p) % p, schedule.blocks_of(run_around)});
    });
  }
  return schedule;
}

// A block's way is (destination - source) mod p: in round i the blocks whose way, written in binary, has bit
// i go 2^i ranks further. By destination, and then by source: so they come, and so they lie in the output.
Schedule all_to_all(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    each_node(parameters, (parameters.only.value_or(0) + p - distance) % p, [&](Rank rank) {
      std::vector<Interval> blocks;
      for (int first = distance; first < p; first += 2 * distance)
        for (int behind = std::min(distance, p - first) - 1; behind >= 0; --behind) {  // the lower bits' way
          const int block = (rank - behind + p) % p * p + (rank + first) % p;
          blocks.push_back({block, block + 1});
        }
      round.push_back({rank, (rank + distance) % p, schedule.blocks_of(blocks)});
    });
  }
  return schedule;
}

// Returns the numbers below p that have the bit `weight`.
int numbers_with(int weight, int p) {
  return p / (2 * weight) * weight + std::max(p % (2 * weight) - weight, 0);
}

// Returns the ones in all of them together.
int ones(const Parameters& parameters) {
  int sum = 0;
  for (int weight = 1; weight < parameters.nodes; weight *= 2) sum += numbers_with(weight, parameters.nodes);
  return sum;
}

constexpr Symbol all_to_all_symbols[] = {
    {"b", "the ones in the binary numbers 1 to p - 1",
     [](const Parameters& parameters) -> double { return ones(parameters); }}};

// After the signals of distance d node v knows of v - 2d + 1 .. v, cyclic.
Schedule dissemination(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, 0);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    each_node(parameters, (parameters.only.value_or(0) + p - distance) % p, [&](Rank from) {
      round.push_back({from, (from + distance) % p, Blocks::nothing});
    });
  }
  return schedule;
}

bool further_on(const Parameters& parameters, int round, Rank from, Rank to) {
  return cyclic_distance(from, to, parameters.nodes) == 1 << round;
}

}  // namespace bruck

namespace registered {

constexpr Algorithm all_gather_bruck = block_row<one_per_doubling>({
    .name = "all_gather_bruck",
    .build = bruck::all_gather,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return bruck::further_on(parameters, round, to, from); },
    .alike = always,
    .carriers = hypercube_family,
    .best_for = "short messages, any number of nodes",
    .source = "Bruck et al. 1997; blocks go to their places at once",
});
constexpr Algorithm reduce_scatter_bruck = dual_row<all_gather_bruck>({
    .name = "reduce_scatter_bruck",
    .keeps_order = KeepsOrder::never,
});
constexpr Algorithm all_to_all_bruck = row({
    .name = "all_to_all_bruck",
    .build = bruck::all_to_all,
    .cost =
        [](const Parameters& parameters) {
          const double words = bruck::ones(parameters);
          return Cost{double(ceil_log2(parameters.nodes)), words, words, 0};
        },
    .rounds = one_per_doubling.text,
    .transfers = everybody_in_each<one_per_doubling>,
    .time = "t_s ceil(log2 p) + t_w m b",
    .symbols = bruck::all_to_all_symbols,
    .peers = bruck::further_on,
    .alike = always,
    .carriers = hypercube_family,
    .best_for = "short messages, any number of nodes",
    .source = "Bruck et al. 1997; blocks keep their numbers, nothing is rotated",
});
constexpr Algorithm barrier_dissemination = row({
    .name = "barrier_dissemination",
    .build = bruck::dissemination,
    .cost = [](const Parameters& told) { return Cost{.startups = double(ceil_log2(told.nodes))}; },
    .rounds = one_per_doubling.text,
    .transfers = everybody_in_each<one_per_doubling>,
    .time = "t_s ceil(log2 p)",
    .peers = bruck::further_on,
    .alike = always,
    .carriers = hypercube_family,
    .best_for = "a core for every node: the fewest rounds",
    .source = "Hensgen, Finkel, Manber 1988",
});

}  // namespace registered
}  // namespace vnode
