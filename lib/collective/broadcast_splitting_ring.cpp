// broadcast_splitting_ring: a binomial scatter, then the pieces go round the ring.
//   rounds     ceil(log2 p) + p - 1
//   transfers  p^2 - 1 - b
//   time       t_s (ceil(log2 p) + p - 1) + 2 t_w m (p - 1) / p
//   needs      nothing
//   ports      single
//   best for   long messages, any number of nodes
//   source     Grama et al. 4.7.1; Barnett et al., scatter-collect
//   picture    p = 4, root 1: 1: 1>3[0,3]; 2: 1>2[2] 3>0[0]; 3: 1>2[1] 2>3[2] 3>0[3]; 4: 1>2[0] 2>3[1]
//              3>0[2]; 5: 1>2[3] 3>0[1]
// Nobody is sent what it has: a node has passed on, in the scatter, the blocks of its subtree. b: the ones in
// the binary numbers 0 to p - 1.
#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/scatter.hpp"
#include "collective/splitting.hpp"

namespace vnode {

Schedule broadcast_splitting_ring(const Parameters& parameters) {
  return split_broadcast(scatter_binomial(parameters), all_gather_ring(parameters), parameters.root);
}

namespace {

constexpr Symbol symbols[] = {
    {"b", "the ones in the binary numbers 0 to p - 1",
     [](const Parameters& parameters) -> double { return ones_below(parameters.nodes); }}};

}  // namespace

namespace registered {

using SplittingRing = Splitting<scatter_binomial, all_gather_ring>;

extern constinit const Algorithm broadcast_splitting_ring{
    .name = "broadcast_splitting_ring",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_splitting_ring,
    .cost = SplittingRing::cost,
    .rounds = {"ceil(log2 p) + p - 1", SplittingRing::rounds},
    .transfers = {"p^2 - 1 - b",
                  [](const Parameters& parameters) {
                    return SplittingRing::transfers(parameters) - ones_below(parameters.nodes);
                  }},
    .time = "t_s (ceil(log2 p) + p - 1) + 2 t_w m (p - 1) / p",
    .symbols = symbols,
    .peers = SplittingRing::peers,
    .carriers = every_family_but_torus,
    .best_for = "long messages, any number of nodes",
    .source = "Grama et al. 4.7.1; Barnett et al., scatter-collect",
};

}  // namespace registered
}  // namespace vnode
