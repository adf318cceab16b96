// all_reduce_rabenseifner: recursive halving, and the same way back; any p by folding.
//   rounds     2 log2 q + 2 [p != q], where q = 2^floor(log2 p)
//   transfers  2 q log2 q + 2 (p - q), where q = 2^floor(log2 p)
//   time       2 t_s log2 q + (2 t_w + t_op) m (q - 1) / q + (2 t_s + (2 t_w + t_op) m) [p != q], where q =
//              2^floor(log2 p)
//   needs      nothing
//   ports      single
//   best for   long messages, powers of two; also operators that do not commute
//   source     Rabenseifner 2004; distance doubling and fold as in MPICH
//   picture    p = 4: 1: 1>+0[0-1] 0+>1[2-3] 3>+2[0-1] 2+>3[2-3]; 2: 2>+0[0] 3>+1[2] 0+>2[1] 1+>3[3]; 3:
//              0>2[0] 1>3[2] 2>0[1] 3>1[3]; 4: 0>1[0-1] 1>0[2-3] 2>3[0-1] 3>2[2-3]
// The nearest come first, when messages are longest, so that rank order is kept. Which part a survivor is
// left with is free: that of its label with the bits in reverse, so that every message is one interval.
#include <vnode/compose.hpp>

#include "collective/all_reduce.hpp"
#include "collective/dimensions.hpp"
#include "collective/fold.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

// The bits of a label below q in reverse.
int bits_reversed(int label, int q) {
  int result = 0;
  for (int bit = 1; bit < q; bit *= 2) result = 2 * result + ((label & bit) != 0);
  return result;
}

Schedule gather_parts(int q) {
  Schedule schedule(q, q);
  for (int run = 1; run < q; run *= 2) {
    Round& round = schedule.next_round();
    for (Rank rank = 0; rank < q; ++rank) {
      const int first = bits_reversed(rank, q) / run * run;
      round.push_back({rank, rank ^ q / 2 / run, schedule.interval(first, first + run)});
    }
  }
  return schedule;
}

}  // namespace

Schedule all_reduce_rabenseifner(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  const Schedule gather = gather_parts(fold.survivors);
  return fold.around(then(dual(gather), gather));
}

namespace registered {

constinit const Algorithm all_reduce_rabenseifner{
    .name = "all_reduce_rabenseifner",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_rabenseifner,
    .cost =
        [](const Parameters& parameters) {
          const Fold fold(parameters.nodes);
          const Cost gather = one_block_per_other_node(ceil_log2(fold.survivors), fold.survivors);
          return fold.cost(in_parts(combining(gather) + gather, fold.survivors));
        },
    .rounds = {"2 log2 q + 2 [p != q], where q = 2^floor(log2 p)",
               [](const Parameters& parameters) {
                 const Fold fold(parameters.nodes);
                 return 2 * ceil_log2(fold.survivors) + 2 * fold.rounds();
               }},
    .transfers = {"2 q log2 q + 2 (p - q), where q = 2^floor(log2 p)",
                  [](const Parameters& parameters) {
                    const Fold fold(parameters.nodes);
                    return 2 * fold.survivors * ceil_log2(fold.survivors) + 2 * fold.folded;
                  }},
    .time =
        "2 t_s log2 q + (2 t_w + t_op) m (q - 1) / q + (2 t_s + (2 t_w + t_op) m) [p != q], where q = "
        "2^floor(log2 p)",
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          const Fold fold(parameters.nodes);
          std::vector<int> there_and_back = lowest_first(fold.survivors);
          for (const int dimension : highest_first(fold.survivors)) there_and_back.push_back(dimension);
          return fold.peers(round, from, to, there_and_back);
        },
    .carriers = hypercube_family,
    .best_for = "long messages, powers of two; also operators that do not commute",
    .source = "Rabenseifner 2004; distance doubling and fold as in MPICH",
};

}  // namespace registered
}  // namespace vnode
