// scatter_mesh: on a mesh of any extents: along the root's row, then along all columns, and so on.
//   rounds     sum of ceil(log2 extent)
//   transfers  p - 1
//   time       t_s sum of ceil(log2 extent) + t_w m (p - 1)
//   needs      extents
//   ports      single
//   best for   short messages on meshes and tori
//   source     Grama et al. 4.4 along broadcast_mesh
//   picture    p = 3x4, root 0: 1: 0>2[2-3,6-7,10-11]; 2: 0>1[1,5,9] 2>3[3,7,11]; 3: 0>8[8] 1>9[9] 2>10[10]
//              3>11[11]; 4: 0>4[4] 1>5[5] 2>6[6] 3>7[7]
#include "collective/broadcast.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/lines.hpp"
#include "collective/personalized.hpp"
#include "collective/scatter.hpp"

namespace vnode {

Schedule scatter_mesh(const Parameters& parameters) { return personalized(broadcast_mesh(parameters)); }

namespace registered {

constinit const Algorithm scatter_mesh{
    .name = "scatter_mesh",
    .collective = Collective::scatter,
    .build = vnode::scatter_mesh,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(line_rounds(parameters), parameters.nodes);
        },
    .rounds = {"sum of ceil(log2 extent)", Along<broadcast_mesh>::rounds},
    .transfers = one_per_other_node,
    .peers = Along<broadcast_mesh>::peers,
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.4 along broadcast_mesh",
};

}  // namespace registered
}  // namespace vnode
