// Exchanges along the links of a hypercube.
#include "building_blocks/alike.hpp"
#include "building_blocks/composition.hpp"
#include "building_blocks/dimensions.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace hypercube {

// The lowest first gathers intervals. With keep_order the highest comes first: then the dual, which goes
// through the dimensions backwards, combines the lowest first, and in rank order.
std::vector<int> order(const Parameters& parameters) {
  if (!parameters.dimension_order.empty()) return parameters.dimension_order;
  return parameters.keep_order ? highest_first(parameters.nodes) : lowest_first(parameters.nodes);
}

// In every dimension everybody exchanges all it has.
Schedule all_gather(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  int gathered = 0;  // the dimensions in which everybody has all blocks
  for (const int dimension : order(parameters)) {
    Round& round = schedule.next_round();
    each_node(parameters, parameters.only.value_or(0) ^ 1 << dimension, [&](Rank rank) {
      std::vector<Interval> blocks;
      for (int block = 0; block < p; ++block)
        if (((block ^ rank) & ~gathered) == 0) blocks.push_back({block, block + 1});
      round.push_back({rank, rank ^ 1 << dimension, schedule.blocks_of(blocks)});
    });
    gathered |= 1 << dimension;
  }
  return schedule;
}

// In round i everybody exchanges its block with rank XOR i, directly.
Schedule e_cube(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  for (int i = 1; i < p; ++i) {
    Round& round = schedule.next_round();
    each_node(parameters, parameters.only.value_or(0) ^ i, [&](Rank rank) {
      const Rank partner = rank ^ i;
      round.push_back({rank, partner, schedule.block(rank * p + partner)});
    });
  }
  return schedule;
}

}  // namespace hypercube

namespace registered {

constexpr Algorithm all_gather_hypercube = block_row<one_per_dimension>({
    .name = "all_gather_hypercube",
    .build = hypercube::all_gather,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return across_dimension(hypercube::order(parameters), round, from, to); },
    .alike = always,
    .needs = power_of_two,
    .dimension_order = true,
    .carriers = hypercube_family,
    .best_for = "any message on hypercubes",
    .source = "Grama et al., algorithm 4.7",
});
constexpr Algorithm reduce_scatter_hypercube = dual_row<all_gather_hypercube>({
    .name = "reduce_scatter_hypercube",
    .source = "Grama et al., algorithm 4.8; dual of all_gather_hypercube",
});

constexpr Algorithm all_to_all_e_cube = message_row<one_per_other_node>({
    .name = "all_to_all_e_cube",
    .build = hypercube::e_cube,
    .transfers = one_per_pair,
    .peers = [](const Parameters&, int round, Rank from, Rank to) { return (from ^ to) == round + 1; },
    .alike = always,
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes",
    .source = "Grama et al., algorithm 4.10",
});

}  // namespace registered
}  // namespace vnode
