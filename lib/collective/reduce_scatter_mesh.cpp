// reduce_scatter_mesh: rings of whole rows in all columns, then rings in all rows.
//   rounds     sum(extent - 1)
//   transfers  p sum(extent - 1)
//   time       t_s sum(extent - 1) + (t_w + t_op) m (p - 1)
//   needs      extents
//   ports      single
//   best for   long messages on meshes and tori
//   source     dual of all_gather_mesh
//   picture    p = 2x2: 1: 2>+0[0-1] 3>+1[0-1] 0+>2[2-3] 1+>3[2-3]; 2: 1>+0[0] 0+>1[1] 3>+2[2] 2+>3[3]
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_scatter_mesh(const Parameters& parameters) { return dual(all_gather_mesh(parameters)); }

namespace registered {

using Promised = Dual<all_gather_mesh>;

constinit const Algorithm reduce_scatter_mesh{
    .name = "reduce_scatter_mesh",
    .collective = Collective::reduce_scatter,
    .build = vnode::reduce_scatter_mesh,
    .cost = Promised::cost,
    .rounds = {"sum(extent - 1)", Promised::rounds},
    .transfers = {"p sum(extent - 1)", Promised::transfers},
    .time = "t_s sum(extent - 1) + (t_w + t_op) m (p - 1)",
    .peers = Promised::peers,
    .needs = mesh_extents,
    .keeps_order = KeepsOrder::never,
    .carriers = mesh_families,
    .best_for = "long messages on meshes and tori",
    .source = "dual of all_gather_mesh",
};

}  // namespace registered
}  // namespace vnode
