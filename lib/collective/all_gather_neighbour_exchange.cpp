// all_gather_neighbour_exchange: with both neighbours in turn; after the own block, the two that came last.
//   rounds     floor(p / 2)
//   transfers  p floor(p / 2)
//   time       t_s floor(p / 2) + t_w m (p - 1)
//   needs      even
//   ports      single
//   best for   medium messages on rings
//   source     Chen et al. 2005, Performance evaluation of allgather algorithms
//   picture    p = 6: 1: 0>1[0] 1>0[1] 2>3[2] 3>2[3] 4>5[4] 5>4[5]; 2: 0>5[0-1] 1>2[0-1] 2>1[2-3] 3>4[2-3]
//              4>3[4-5] 5>0[4-5]; 3: 0>1[4-5] 1>0[2-3] 2>3[0-1] 3>2[4-5] 4>5[2-3] 5>4[0-1]
#include <vector>

#include "collective/all_gather.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

// In even rounds 0-1, 2-3 ..., in odd ones 1-2, 3-4 ..., p-1 - 0.
Rank partner(Rank rank, int round, int p) { return (rank + ((rank + round) % 2 == 0 ? 1 : p - 1)) % p; }

}  // namespace

Schedule all_gather_neighbour_exchange(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  std::vector<int> last(static_cast<std::size_t>(p));  // the first of the two blocks that came last
  for (Rank rank = 0; rank < p; ++rank) last[static_cast<std::size_t>(rank)] = rank - rank % 2;
  for (int t = 0; t < p / 2; ++t) {
    Round& round = schedule.next_round();
    std::vector<int> arrived = last;
    for (Rank rank = 0; rank < p; ++rank) {
      const int pair = last[static_cast<std::size_t>(rank)];
      const Rank to = partner(rank, t, p);
      round.push_back({rank, to, t == 0 ? schedule.block(rank) : schedule.interval(pair, pair + 2)});
      if (t > 0) arrived[static_cast<std::size_t>(to)] = pair;
    }
    last = std::move(arrived);
  }
  return schedule;
}

namespace registered {

static constexpr Carrier ring_carriers[] = {{"ring", ""}, {"torus", ""}, {"hypercube", ""}, {"full", ""}};

constinit const Algorithm all_gather_neighbour_exchange{
    .name = "all_gather_neighbour_exchange",
    .collective = Collective::all_gather,
    .build = vnode::all_gather_neighbour_exchange,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(parameters.nodes / 2, parameters.nodes);
        },
    .rounds = {"floor(p / 2)", [](const Parameters& parameters) { return parameters.nodes / 2; }},
    .transfers = {"p floor(p / 2)",
                  [](const Parameters& parameters) { return parameters.nodes * (parameters.nodes / 2); }},
    .time = "t_s floor(p / 2) + t_w m (p - 1)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return to == partner(from, round, parameters.nodes); },
    .needs = even_nodes,
    .carriers = ring_carriers,
    .best_for = "medium messages on rings",
    .source = "Chen et al. 2005, Performance evaluation of allgather algorithms",
};

}  // namespace registered
}  // namespace vnode
