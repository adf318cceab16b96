// all_reduce_mesh: a reduce_scatter by columns and rows, then an all_gather by rows and columns.
//   rounds     2 sum(extent - 1)
//   transfers  2 p sum(extent - 1)
//   time       2 t_s sum(extent - 1) + (2 t_w + t_op) m (p - 1) / p
//   needs      extents
//   ports      single
//   best for   long messages on meshes and tori
//   source     reduce_scatter_mesh, then all_gather_mesh
//   picture    p = 2x2: 1: 2>+0[0-1] 3>+1[0-1] 0+>2[2-3] 1+>3[2-3]; 2: 1>+0[0] 0+>1[1] 3>+2[2] 2+>3[3]; 3:
//              0>1[0] 1>0[1] 2>3[2] 3>2[3]; 4: 0>2[0-1] 1>3[0-1] 2>0[2-3] 3>1[2-3]
#include <vnode/compose.hpp>

#include "collective/all_gather.hpp"
#include "collective/all_reduce.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule all_reduce_mesh(const Parameters& parameters) {
  return then(reduce_scatter_mesh(parameters), all_gather_mesh(parameters));
}

namespace registered {

using Promised = Splitting<reduce_scatter_mesh, all_gather_mesh>;

constinit const Algorithm all_reduce_mesh{
    .name = "all_reduce_mesh",
    .collective = Collective::all_reduce,
    .build = vnode::all_reduce_mesh,
    .cost = Promised::cost,
    .rounds = {"2 sum(extent - 1)", Promised::rounds},
    .transfers = {"2 p sum(extent - 1)", Promised::transfers},
    .time = "2 t_s sum(extent - 1) + (2 t_w + t_op) m (p - 1) / p",
    .peers = Promised::peers,
    .needs = mesh_extents,
    .keeps_order = KeepsOrder::never,
    .carriers = mesh_families,
    .best_for = "long messages on meshes and tori",
    .source = "reduce_scatter_mesh, then all_gather_mesh",
};

}  // namespace registered
}  // namespace vnode
