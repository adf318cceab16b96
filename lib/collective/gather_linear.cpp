// gather_linear: every other node sends to the root in turn.
//   rounds     p - 1
//   transfers  p - 1
//   time       (t_s + t_w m) (p - 1)
//   needs      nothing
//   ports      single
//   best for   two nodes, and where each block shall move only once
//   source     scatter_linear backwards
//   picture    p = 6, root 2: 1: 1>2[1]; 2: 0>2[0]; 3: 3>2[3]; 4: 4>2[4]; 5: 5>2[5]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/gather.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule gather_linear(const Parameters& parameters) { return reversed(scatter_linear(parameters)); }

namespace registered {

constinit const Algorithm gather_linear{
    .name = "gather_linear",
    .collective = Collective::gather,
    .build = vnode::gather_linear,
    .cost = Reversed<scatter_linear>::cost,
    .rounds = {"p - 1", Reversed<scatter_linear>::rounds},
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) (p - 1)",
    .peers = Reversed<scatter_linear>::peers,
    .carriers = every_family,
    .best_for = "two nodes, and where each block shall move only once",
    .source = "scatter_linear backwards",
};

}  // namespace registered
}  // namespace vnode
