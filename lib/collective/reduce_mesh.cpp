// reduce_mesh: on a mesh of any extents: towards the root's line, one dimension after the other.
//   rounds     sum(ceil(log2 extent)) + z
//   transfers  p - 1 + z
//   time       (t_s + (t_w + t_op) m) sum(ceil(log2 extent)) + (t_s + t_w m) z
//   needs      extents
//   ports      single
//   best for   short messages on meshes and tori
//   source     Grama et al. 4.1.2, dual of broadcast_mesh
//   picture    p = 3x4, root 0: 1: 4>+0 5>+1 6>+2 7>+3; 2: 8>+0 9>+1 10>+2 11>+3; 3: 1>+0 3>+2; 4: 2>+0
// z: where keep_order asks for rank order and this root breaks it, rank 0 combines and sends the result on.
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

using Promised = ReductionAlong<registered::broadcast_mesh, through_zero>;

constexpr Symbol symbols[] = {Promised::z};

}  // namespace

namespace registered {

extern constinit const Algorithm reduce_mesh = row_of<Promised>({
    .name = "reduce_mesh",
    .collective = Collective::reduce,
    .rounds = "sum(ceil(log2 extent)) + z",
    .transfers = "p - 1 + z",
    .time = "(t_s + (t_w + t_op) m) sum(ceil(log2 extent)) + (t_s + t_w m) z",
    .symbols = symbols,
    .needs = mesh_extents,
    .keeps_order = KeepsOrder::through_zero,
    .carriers = mesh_families,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.1.2, dual of broadcast_mesh",
});

}  // namespace registered
}  // namespace vnode
