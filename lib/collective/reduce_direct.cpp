// reduce_direct: all nodes offer their message at once; the root combines them in rank order in one pass.
//   rounds     min(p - 1, 1)
//   transfers  p - 1
//   time       (t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)
//   needs      nothing
//   ports      all
//   best for   shared memory, short messages: one board that the root reads
//   source     single-copy reduction of shared-memory libraries; dual of broadcast_direct
//   picture    p = 8, root 2: 1: 0+>2 1+>2 3>+2 4>+2 5>+2 6>+2 7>+2
// The time holds as long as the root reads all others at the speed of one.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

struct Promised : ReductionAlong<registered::broadcast_direct> {
  static Cost cost(const Parameters& parameters) { return combining(from_all_at_once(parameters.nodes)); }
};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_direct = row_of<Promised>({
    .name = "reduce_direct",
    .collective = Collective::reduce,
    .rounds = "min(p - 1, 1)",
    .transfers = "p - 1",
    .time = "(t_s + t_w m) min(p - 1, 1) + t_op m (p - 1)",
    .ports = Ports::all,
    .carriers = fully_connected,
    .best_for = "shared memory, short messages: one board that the root reads",
    .source = "single-copy reduction of shared-memory libraries; dual of broadcast_direct",
});

}  // namespace registered
}  // namespace vnode
