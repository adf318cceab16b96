// all_to_all_bruck: in round i the blocks whose way, written in binary, has bit i go 2^i ranks further.
//   rounds     ceil(log2 p)
//   transfers  p ceil(log2 p)
//   time       t_s ceil(log2 p) + t_w m b
//   needs      nothing
//   ports      single
//   best for   short messages, any number of nodes
//   source     Bruck et al. 1997; blocks keep their numbers, nothing is rotated
//   picture    p = 5: 1: 0>1[1,3] 1>2[7,9] 2>3[13,10] 3>4[19,16] 4>0[20,22]; 2: 0>2[2,22] 1>3[8,3] 2>4[14,9]
//              3>0[15,10] 4>1[21,16]; 3: 0>4[4] 1>0[5] 2>1[11] 3>2[17] 4>3[23]
// A block's way is (destination - source) mod p. b: the ones in the binary numbers 1 to p - 1.
#include <algorithm>

#include "collective/formula.hpp"

namespace vnode {

Schedule all_to_all_bruck(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  for (int distance = 1; distance < p; distance *= 2) {
    Round& round = schedule.next_round();
    for (Rank rank = 0; rank < p; ++rank) {
      std::vector<Interval> blocks;
      for (int way = 0; way < p; ++way) {
        if ((way & distance) == 0) continue;
        const Rank source = (rank - way % distance + p) % p;  // the lower bits' way lies behind
        const int block = source * p + (source + way) % p;
        blocks.push_back({block, block + 1});
      }
      round.push_back({rank, (rank + distance) % p, schedule.blocks_of(blocks)});
    }
  }
  return schedule;
}

namespace {

// The numbers below p that have the bit `weight`.
int numbers_with(int weight, int p) {
  return p / (2 * weight) * weight + std::max(p % (2 * weight) - weight, 0);
}

// In all of them together.
int ones(const Parameters& parameters) {
  int sum = 0;
  for (int weight = 1; weight < parameters.nodes; weight *= 2) sum += numbers_with(weight, parameters.nodes);
  return sum;
}

constexpr Symbol symbols[] = {{"b", "the ones in the binary numbers 1 to p - 1",
                               [](const Parameters& parameters) -> double { return ones(parameters); }}};

}  // namespace

namespace registered {

extern constinit const Algorithm all_to_all_bruck{
    .name = "all_to_all_bruck",
    .collective = Collective::all_to_all,
    .build = vnode::all_to_all_bruck,
    .cost =
        [](const Parameters& parameters) {
          const double words = ones(parameters);
          return Cost{double(ceil_log2(parameters.nodes)), words, words, 0};
        },
    .rounds = one_per_doubling,
    .transfers = {"p ceil(log2 p)",
                  [](const Parameters& parameters) {
                    return parameters.nodes * ceil_log2(parameters.nodes);
                  }},
    .time = "t_s ceil(log2 p) + t_w m b",
    .symbols = symbols,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == 1 << round; },
    .carriers = hypercube_family,
    .best_for = "short messages, any number of nodes",
    .source = "Bruck et al. 1997; blocks keep their numbers, nothing is rotated",
};

}  // namespace registered
}  // namespace vnode
