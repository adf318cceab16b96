// scatter_linear: the root sends to every other node in turn.
//   rounds     p - 1
//   transfers  p - 1
//   time       (t_s + t_w m) (p - 1)
//   needs      nothing
//   ports      single
//   best for   two nodes, and where each block shall move only once
//   source     the naive way
//   picture    p = 6, root 2: 1: 2>5[5]; 2: 2>4[4]; 3: 2>3[3]; 4: 2>0[0]; 5: 2>1[1]
#include "collective/broadcast.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/personalized.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule scatter_linear(const Parameters& parameters) { return personalized(broadcast_linear(parameters)); }

namespace registered {

constinit const Algorithm scatter_linear{
    .name = "scatter_linear",
    .collective = Collective::scatter,
    .build = vnode::scatter_linear,
    .cost = [](const Parameters& parameters) { return whole_messages(parameters.nodes - 1); },
    .rounds = {"p - 1", Along<broadcast_linear>::rounds},
    .transfers = one_per_other_node,
    .time = "(t_s + t_w m) (p - 1)",
    .peers = Along<broadcast_linear>::peers,
    .carriers = every_family,
    .best_for = "two nodes, and where each block shall move only once",
    .source = "the naive way",
};

}  // namespace registered
}  // namespace vnode
