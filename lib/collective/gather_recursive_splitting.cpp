// gather_recursive_splitting: halves of a linear array put together; far ends send towards the root.
//   rounds     ceil(log2 p)
//   transfers  p - 1
//   time       t_s ceil(log2 p) + t_w m h
//   needs      nothing
//   ports      single
//   best for   gathering on meshes routed yx
//   source     scatter_recursive_splitting backwards
//   picture    p = 6, root 0: 1: 1>0[1] 3>4[3]; 2: 2>0[2] 4>5[3-4]; 3: 5>0[3-5]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/gather.hpp"
#include "collective/halves.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule gather_recursive_splitting(const Parameters& parameters) {
  return reversed(scatter_recursive_splitting(parameters));
}

namespace registered {

constinit const Algorithm gather_recursive_splitting{
    .name = "gather_recursive_splitting",
    .collective = Collective::gather,
    .build = vnode::gather_recursive_splitting,
    .cost = Reversed<scatter_recursive_splitting>::cost,
    .rounds = {"ceil(log2 p)", Reversed<scatter_recursive_splitting>::rounds},
    .transfers = one_per_other_node,
    .time = "t_s ceil(log2 p) + t_w m h",
    .symbols = longest_halves,
    .peers = Reversed<scatter_recursive_splitting>::peers,
    .carriers = every_line_and_yx,
    .best_for = "gathering on meshes routed yx",
    .source = "scatter_recursive_splitting backwards",
};

}  // namespace registered
}  // namespace vnode
