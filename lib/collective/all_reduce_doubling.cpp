// all_reduce_doubling: partners 1, 2, 4 ... apart exchange all they have; any p by folding.
//   rounds     log2 q + 2 [p != q], where q = 2^floor(log2 p)
//   transfers  q log2 q + 2 (p - q), where q = 2^floor(log2 p)
//   time       (t_s + (t_w + t_op) m) log2 q + (2 t_s + (2 t_w + t_op) m) [p != q], where q = 2^floor(log2 p)
//   needs      nothing
//   ports      single
//   best for   short messages
//   source     Grama et al. 4.3, the pattern of algorithm 4.7; fold as in MPICH
//   picture    p = 6: 1: 0+>1 2+>3; 2: 1+>3 3>+1 4+>5 5>+4; 3: 1+>4 3+>5 4>+1 5>+3; 4: 1>0 3>2
// Partners evaluate the same expression, the lower one's partial result on the left.
#include "collective/all_reduce.hpp"
#include "collective/fold.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule all_reduce_doubling(const Parameters& parameters) {
  const Fold fold(parameters.nodes);
  Schedule work(fold.survivors, 1);
  for (int distance = 1; distance < fold.survivors; distance *= 2) {
    Round& round = work.next_round();
    for (Rank from = 0; from < fold.survivors; ++from) {
      const Rank to = from ^ distance;
      round.push_back({from, to, whole, from < to ? Effect::combine_before : Effect::combine_after});
    }
  }
  return fold.around(work);
}

namespace registered {

constinit const Algorithm all_reduce_doubling{
    .name = "all_reduce_doubling",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_doubling,
    .cost =
        [](const Parameters& parameters) {
          const Fold fold(parameters.nodes);
          return fold.cost(combining(whole_messages(ceil_log2(fold.survivors))));
        },
    .rounds = doubling_rounds,
    .transfers = doubling_transfers,
    .time = "(t_s + (t_w + t_op) m) log2 q + (2 t_s + (2 t_w + t_op) m) [p != q], where q = 2^floor(log2 p)",
    .peers = doubling_peers,
    .carriers = hypercube_family,
    .best_for = "short messages",
    .source = "Grama et al. 4.3, the pattern of algorithm 4.7; fold as in MPICH",
};

}  // namespace registered
}  // namespace vnode
