// reduce_mesh: on a mesh of any extents: towards the root's line, one dimension after the other.
//   rounds     sum of ceil(log2 extent) (+ 1)
//   transfers  p - 1 (+ 1)
//   time       (t_s + t_w m) (sum of ceil(log2 extent) (+ 1))
//   needs      extents
//   ports      single
//   best for   short messages on meshes and tori
//   source     Grama et al. 4.1.2, dual of broadcast_mesh
//   picture    p = 3x4, root 0: 1: 4>+0 5>+1 6>+2 7>+3; 2: 8>+0 9>+1 10>+2 11>+3; 3: 1>+0 3>+2; 4: 2>+0
// (+ 1): where keep_order asks for rank order and this root breaks it on its lines, rank 0 combines and sends
// it on.
#include "collective/broadcast.hpp"
#include "collective/formula.hpp"
#include "collective/lines.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

bool through_zero(const Parameters& parameters) {
  if (!parameters.keep_order) return false;
  const std::vector<int> root = coordinates(parameters.root, parameters.extents);
  for (std::size_t i = 0; i < root.size(); ++i)
    if (root[i] != 0 && root[i] != parameters.extents[i] - top_distance(parameters.extents[i])) return true;
  return false;
}

ReductionPromises promises(const Parameters& parameters) {
  return {registered::broadcast_mesh, through_zero(parameters)};
}

}  // namespace

Schedule reduce_mesh(const Parameters& parameters) { return reduction(broadcast_mesh, parameters); }

namespace registered {

extern constinit const Algorithm reduce_mesh{
    .name = "reduce_mesh",
    .collective = Collective::reduce,
    .build = vnode::reduce_mesh,
    .cost = [](const Parameters& parameters) { return promises(parameters).cost(parameters); },
    .rounds = {"sum of ceil(log2 extent) (+ 1)",
               [](const Parameters& parameters) { return promises(parameters).rounds(parameters); }},
    .transfers = {"p - 1 (+ 1)",
                  [](const Parameters& parameters) { return promises(parameters).transfers(parameters); }},
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return promises(parameters).peers(parameters, round, from, to); },
    .needs = mesh_extents,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = mesh_families,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.1.2, dual of broadcast_mesh",
};

}  // namespace registered
}  // namespace vnode
