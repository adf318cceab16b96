// circular_shift_direct: everybody sends its block to its destination.
//   rounds     min(q, 1)
//   transfers  p min(q, 1)
//   time       (t_s + t_w m) min(q, 1)
//   needs      nothing
//   ports      single
//   best for   hypercubes by E-cube, and wherever messages pass nodes by
//   source     Grama et al. 4.6.2
//   picture    p = 8, shift 3: 1: 0>3[0] 1>4[1] 2>5[2] 3>6[3] 4>7[4] 5>0[5] 6>1[6] 7>2[7]
// q is Parameters::shift mod p.
#include "collective/formula.hpp"
#include "collective/shift.hpp"

namespace vnode {

Schedule circular_shift_direct(const Parameters& parameters) {
  const int p = parameters.nodes, q = shift_forward(parameters);
  MovingBlocks blocks(p);
  if (q > 0) blocks.move([&](Rank rank) { return (rank + q) % p; });
  return blocks.schedule();
}

namespace registered {

extern constinit const Algorithm circular_shift_direct{
    .name = "circular_shift_direct",
    .collective = Collective::circular_shift,
    .build = vnode::circular_shift_direct,
    .cost = [](const Parameters& parameters) { return whole_messages(shift_forward(parameters) > 0); },
    .rounds = {"min(q, 1)", [](const Parameters& parameters) { return int(shift_forward(parameters) > 0); }},
    .transfers = {"p min(q, 1)",
                  [](const Parameters& parameters) {
                    return shift_forward(parameters) > 0 ? parameters.nodes : 0;
                  }},
    .time = "(t_s + t_w m) min(q, 1)",
    .peers = [](const Parameters& parameters, int, Rank from,
                Rank to) { return cyclic_distance(from, to, parameters.nodes) == shift_forward(parameters); },
    .carriers = hypercube_family,
    .best_for = "hypercubes by E-cube, and wherever messages pass nodes by",
    .source = "Grama et al. 4.6.2",
};

}  // namespace registered
}  // namespace vnode
