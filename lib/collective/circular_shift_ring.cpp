// circular_shift_ring: all blocks go the shorter way round, one node a round.
//   rounds     min(q, p - q)
//   transfers  p min(q, p - q)
//   time       (t_s + t_w m) min(q, p - q)
//   needs      nothing
//   ports      single
//   best for   shifts by 1 or -1, every topology
//   source     Grama et al. 4.6.1
//   picture    p = 4, shift 2: 1: 0>1[0] 1>2[1] 2>3[2] 3>0[3]; 2: 0>1[3] 1>2[0] 2>3[1] 3>0[2]
// q is Parameters::shift mod p.
#include <algorithm>

#include "collective/formula.hpp"
#include "collective/shift.hpp"

namespace vnode {

Schedule circular_shift_ring(const Parameters& parameters) {
  const int p = parameters.nodes, q = shift_forward(parameters);
  const int step = q <= p - q ? 1 : -1;
  MovingBlocks blocks(p);
  for (int i = 0; i < std::min(q, p - q); ++i) blocks.move([&](Rank rank) { return (rank + step + p) % p; });
  return blocks.schedule();
}

namespace {

int rounds(const Parameters& parameters) {
  const int p = parameters.nodes, q = shift_forward(parameters);
  return std::min(q, p - q);
}

}  // namespace

namespace registered {

extern constinit const Algorithm circular_shift_ring{
    .name = "circular_shift_ring",
    .collective = Collective::circular_shift,
    .build = vnode::circular_shift_ring,
    .cost = [](const Parameters& parameters) { return whole_messages(rounds(parameters)); },
    .rounds = {"min(q, p - q)", rounds},
    .transfers = {"p min(q, p - q)",
                  [](const Parameters& parameters) { return parameters.nodes * rounds(parameters); }},
    .time = "(t_s + t_w m) min(q, p - q)",
    .peers =
        [](const Parameters& parameters, int, Rank from, Rank to) {
          const int p = parameters.nodes, q = shift_forward(parameters);
          return (q <= p - q ? cyclic_distance(from, to, p) : cyclic_distance(to, from, p)) == 1;
        },
    .carriers = every_family,
    .best_for = "shifts by 1 or -1, every topology",
    .source = "Grama et al. 4.6.1",
};

}  // namespace registered
}  // namespace vnode
