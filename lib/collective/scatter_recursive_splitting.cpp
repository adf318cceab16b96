// scatter_recursive_splitting: a linear array in halves: each holder sends away the half where it is not.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       t_s ceil(log2 p) + t_w m h
//   needs      nothing
//   ports      single
//   best for   the scatter of scatter-collect on meshes of any extents
//   source     Barnett et al. 1996, scatter of recursive splitting
//   picture    p = 6, root 0: 1: 0>5[3-5]; 2: 0>2[2] 5>4[3-4]; 3: 0>1[1] 4>3[3]
// h = p - 1 for powers of two; otherwise it may be more: 6 for p = 6. A holder in the lower half, which is
// the longer, sends less than one in the upper half.
#include "collective/broadcast.hpp"
#include "collective/composition.hpp"
#include "collective/halves.hpp"
#include "collective/personalized.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule scatter_recursive_splitting(const Parameters& parameters) {
  return personalized(broadcast_recursive_splitting(parameters));
}

namespace registered {

using RecursiveSplitting = Along<broadcast_recursive_splitting>;

constinit const Algorithm scatter_recursive_splitting{
    .name = "scatter_recursive_splitting",
    .collective = Collective::scatter,
    .build = vnode::scatter_recursive_splitting,
    .cost =
        [](const Parameters& parameters) {
          const double words = halves_sent(parameters);
          return Cost{double(RecursiveSplitting::rounds(parameters)), words, words, 0};
        },
    .rounds = {"ceil(log2 p)", RecursiveSplitting::rounds},
    .transfers = one_per_other_node,
    .time = "t_s ceil(log2 p) + t_w m h",
    .symbols = longest_halves,
    .peers = RecursiveSplitting::peers,
    .carriers = every_family_but_torus,
    .best_for = "the scatter of scatter-collect on meshes of any extents",
    .source = "Barnett et al. 1996, scatter of recursive splitting",
};

}  // namespace registered
}  // namespace vnode
