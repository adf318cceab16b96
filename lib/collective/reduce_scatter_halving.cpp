// reduce_scatter_halving: recursive halving, nearest partners first, in rank order; any p by folding.
//   rounds     log2 q + 2 [p != q], where q = 2^floor(log2 p)
//   transfers  q log2 q + 2 (p - q), where q = 2^floor(log2 p)
//   time       t_s (log2 q + 2 [p != q]) + (t_w + t_op) m (q - 1 + p [p != q] + b) + t_w m [p != q], where q
//              = 2^floor(log2 p)
//   needs      nothing
//   ports      single
//   best for   operators that do not commute, any number of nodes
//   source     MPICH, recursive halving with distance doubling; fold for any p
//   picture    p = 6: 1: 0+>1 2+>3; 2: 1+>3[2-3,5] 3>+1[0-1,4] 4+>5[2-3,5] 5>+4[0-1,4]; 3: 1+>4[4] 3+>5[5]
//              4>+1[0-1] 5>+3[2-3]; 4: 1>0[0] 3>2[2]
// Where p is no power of two, a survivor works for the blocks of two ranks, and in the last round its
// neighbour gets one. With an operator that commutes, reduce_scatter_bruck sends less. b: the sum of ceil((p
// - q) / 2^i) for i from 1 to log2 q.
#include "collective/fold.hpp"
#include "collective/formula.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_scatter_halving(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  Schedule schedule = fold.in(parameters.nodes);
  for (int distance = 1; distance < fold.survivors; distance *= 2) {
    Round& round = schedule.next_round();
    for (int survivor = 0; survivor < fold.survivors; ++survivor) {
      const int partner = survivor ^ distance;
      std::vector<Interval> partners;  // what remains with the partner: every 2 distance-th one's blocks
      for (int owner = partner % (2 * distance); owner < fold.survivors; owner += 2 * distance)
        partners.push_back(fold.ranks(owner));
      round.push_back({fold.rank(survivor), fold.rank(partner), schedule.blocks_of(partners),
                       survivor < partner ? Effect::combine_before : Effect::combine_after});
    }
  }
  if (fold.folded == 0) return schedule;
  Round& round = schedule.next_round();
  for (int i = 0; i < fold.folded; ++i) round.push_back({2 * i + 1, 2 * i, schedule.block(2 * i)});
  return schedule;
}

namespace {

// To the busiest partner go the blocks of every 2nd, 4th, 8th ... survivor from 0 on, and of their
// neighbours: so many.
int neighbours(const Fold& fold) {
  int sum = 0;
  for (int i = 1; i <= ceil_log2(fold.survivors); ++i) sum += (fold.folded + (1 << i) - 1) >> i;
  return sum;
}

Cost cost(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  const int words = fold.rounds() * parameters.nodes + fold.survivors - 1 + neighbours(fold);
  const Cost halving{double(fold.rounds() + ceil_log2(fold.survivors)), double(words), double(words), 0};
  return combining(halving) + whole_messages(fold.rounds());
}

constexpr Symbol symbols[] = {
    {"b", "the sum of ceil((p - q) / 2^i) for i from 1 to log2 q",
     [](const Parameters& parameters) -> double { return neighbours(Fold(parameters.nodes)); }}};

}  // namespace

namespace registered {

constinit const Algorithm reduce_scatter_halving{
    .name = "reduce_scatter_halving",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_halving,
    .cost = cost,
    .rounds = doubling_rounds,
    .transfers = doubling_transfers,
    .time =
        "t_s (log2 q + 2 [p != q]) + (t_w + t_op) m (q - 1 + p [p != q] + b) + t_w m [p != q], where q = "
        "2^floor(log2 p)",
    .symbols = symbols,
    .peers = doubling_peers,
    .carriers = hypercube_family,
    .best_for = "operators that do not commute, any number of nodes",
    .source = "MPICH, recursive halving with distance doubling; fold for any p",
};

}  // namespace registered
}  // namespace vnode
