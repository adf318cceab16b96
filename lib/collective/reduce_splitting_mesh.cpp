// reduce_splitting_mesh: rings in columns and rows combine, then a gather along rows and the root's column.
//   rounds     sum(ceil(log2 extent) + extent - 1)
//   transfers  p - 1 + p sum(extent - 1)
//   time       t_s sum(ceil(log2 extent) + extent - 1) + (2 t_w + t_op) m (p - 1) / p
//   needs      extents
//   ports      single
//   best for   long messages on meshes and tori
//   source     Grama et al. 4.7.1
//   picture    p = 2x3, root 0: 1: 3>+0[0-2] 4>+1[0-2] 5>+2[0-2] 0+>3[3-5] 1+>4[3-5] 2+>5[3-5]; 2: 1>+0[2]
//              2>+1[0] 0+>2[1] 4>+3[5] 5>+4[3] 3+>5[4]; 3: 1>+0[0] 2+>1[1] 0+>2[2] 4>+3[3] 5+>4[4] 3+>5[5];
//              4: 1>0[1] 4>3[4]; 5: 2>0[2] 5>3[5]; 6: 3>0[3-5]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/gather.hpp"
#include "collective/reduce_scatter.hpp"

namespace vnode {

Schedule reduce_splitting_mesh(const Parameters& parameters) {
  return then(reduce_scatter_mesh(parameters), gather_mesh(parameters));
}

namespace registered {

using SplittingMesh = Splitting<reduce_scatter_mesh, gather_mesh>;

extern constinit const Algorithm reduce_splitting_mesh{
    .name = "reduce_splitting_mesh",
    .collective = Collective::reduce,
    .build = vnode::reduce_splitting_mesh,
    .cost = SplittingMesh::cost,
    .rounds = {"sum(ceil(log2 extent) + extent - 1)", SplittingMesh::rounds},
    .transfers = {"p - 1 + p sum(extent - 1)", SplittingMesh::transfers},
    .time = "t_s sum(ceil(log2 extent) + extent - 1) + (2 t_w + t_op) m (p - 1) / p",
    .peers = SplittingMesh::peers,
    .needs = mesh_extents,
    .keeps_order = KeepsOrder::never,
    .carriers = mesh_families,
    .best_for = "long messages on meshes and tori",
    .source = "Grama et al. 4.7.1",
};

}  // namespace registered
}  // namespace vnode
