// reduce_scatter_neighbour_exchange: with both neighbours in turn, two blocks at a time.
//   rounds     floor(p / 2)
//   transfers  p floor(p / 2)
//   time       t_s floor(p / 2) + (t_w + t_op) m (p - 1)
//   needs      even
//   ports      single
//   best for   medium messages on rings
//   source     dual of all_gather_neighbour_exchange
//   picture    p = 4: 1: 3>+0[0-1] 2>+1[0-1] 1+>2[2-3] 0+>3[2-3]; 2: 1>+0[0] 0+>1[1] 3+>2[2] 2>+3[3]
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_scatter_neighbour_exchange(const Parameters& parameters) {
  return dual(all_gather_neighbour_exchange(parameters));
}

namespace registered {

using Promised = Dual<all_gather_neighbour_exchange>;

static constexpr Carrier ring_carriers[] = {{"ring", ""}, {"torus", ""}, {"hypercube", ""}, {"full", ""}};

constinit const Algorithm reduce_scatter_neighbour_exchange{
    .name = "reduce_scatter_neighbour_exchange",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_neighbour_exchange,
    .cost = Promised::cost,
    .rounds = {"floor(p / 2)", Promised::rounds},
    .transfers = {"p floor(p / 2)", Promised::transfers},
    .time = "t_s floor(p / 2) + (t_w + t_op) m (p - 1)",
    .peers = Promised::peers,
    .needs = even_nodes,
    .keeps_order = KeepsOrder::never,
    .carriers = ring_carriers,
    .best_for = "medium messages on rings",
    .source = "dual of all_gather_neighbour_exchange",
};

}  // namespace registered
}  // namespace vnode
