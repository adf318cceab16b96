// all_to_all_ring: everybody sends right all that has not arrived, its own blocks first.
//   rounds     p - 1
//   transfers  p (p - 1)
//   time       (t_s + t_w m p / 2) (p - 1)
//   needs      nothing
//   ports      single
//   best for   rings and arrays, where longer ways would meet
//   source     Grama et al. 4.5.1
//   picture    p = 4: 1: 0>1[1-3] 1>2[4,6-7] 2>3[8-9,11] 3>0[12-14]; 2: 0>1[13-14] 1>2[2-3] 2>3[4,7]
//              3>0[8-9]; 3: 0>1[9] 1>2[14] 2>3[3] 3>0[4]
// A mesh of one row: first p - 1 blocks go out, then p - 2, at last 1.
#include "collective/all_gather.hpp"
#include "collective/all_to_all.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"

namespace vnode {

Schedule all_to_all_ring(const Parameters& parameters) {
  return all_to_all_mesh({.nodes = parameters.nodes, .extents = {parameters.nodes}});
}

namespace registered {

extern constinit const Algorithm all_to_all_ring{
    .name = "all_to_all_ring",
    .collective = Collective::all_to_all,
    .build = vnode::all_to_all_ring,
    .cost =
        [](const Parameters& parameters) {
          const double rounds = parameters.nodes - 1, words = rounds * parameters.nodes / 2;
          return Cost{rounds, words, words, 0};
        },
    .rounds = one_per_other_node,
    .transfers = one_per_pair,
    .time = "(t_s + t_w m p / 2) (p - 1)",
    .peers = Along<all_gather_ring>::peers,
    .carriers = every_family,
    .best_for = "rings and arrays, where longer ways would meet",
    .source = "Grama et al. 4.5.1",
};

}  // namespace registered
}  // namespace vnode
