// gather_mesh: on a mesh of any extents: along all rows to the root's column, along it to the root.
//   rounds     sum(ceil(log2 extent))
//   transfers  p - 1
//   time       t_s sum(ceil(log2 extent)) + t_w m (p - 1)
//   needs      extents
//   ports      single
//   best for   short messages on meshes and tori
//   source     scatter_mesh backwards
//   picture    p = 3x4, root 0: 1: 1>0[1] 3>2[3] 5>4[5] 7>6[7] 9>8[9] 11>10[11]; 2: 2>0[2-3] 6>4[6-7]
//              10>8[10-11]; 3: 4>0[4-7]; 4: 8>0[8-11]
#include <vnode/compose.hpp>

#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/gather.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule gather_mesh(const Parameters& parameters) { return reversed(scatter_mesh(parameters)); }

namespace registered {

constinit const Algorithm gather_mesh{
    .name = "gather_mesh",
    .collective = Collective::gather,
    .build = vnode::gather_mesh,
    .cost = Reversed<scatter_mesh>::cost,
    .rounds = {"sum(ceil(log2 extent))", Reversed<scatter_mesh>::rounds},
    .transfers = one_per_other_node,
    .time = "t_s sum(ceil(log2 extent)) + t_w m (p - 1)",
    .peers = Reversed<scatter_mesh>::peers,
    .needs = mesh_extents,
    .carriers = every_family,
    .best_for = "short messages on meshes and tori",
    .source = "scatter_mesh backwards",
};

}  // namespace registered
}  // namespace vnode
