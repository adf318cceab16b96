// scatter_mesh: on a mesh of any extents: along the root's column, then along all rows, and so on.
//   rounds     sum(ceil(log2 extent))
//   transfers  p - 1
//   time       t_s sum(ceil(log2 extent)) + t_w m (p - 1)
//   needs      extents
//   ports      single
//   best for   short messages on meshes and tori
//   source     Grama et al. 4.4 on the lines of a mesh; Barnett et al., two-dimensional scatter
//   picture    p = 3x4, root 0: 1: 0>8[8-11]; 2: 0>4[4-7]; 3: 0>2[2-3] 4>6[6-7] 8>10[10-11]; 4: 0>1[1] 2>3[3]
//              4>5[5] 6>7[7] 8>9[9] 10>11[11]
#include "collective/formula.hpp"
#include "collective/lines.hpp"
#include "collective/personalized.hpp"
#include "collective/scatter.hpp"

namespace vnode {

// The slowest dimension first: then every message is one interval of blocks.
Schedule scatter_mesh(const Parameters& parameters) {
  return personalized(along_lines(parameters, LineOrder::slowest_first));
}

namespace registered {

constinit const Algorithm scatter_mesh{
    .name = "scatter_mesh",
    .collective = Collective::scatter,
    .build = vnode::scatter_mesh,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(line_rounds(parameters), parameters.nodes);
        },
    .rounds = {"sum(ceil(log2 extent))", line_rounds},
    .transfers = one_per_other_node,
    .time = "t_s sum(ceil(log2 extent)) + t_w m (p - 1)",
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return on_a_line(parameters, LineOrder::slowest_first, round, from, to); },
    .needs = mesh_extents,
    .carriers = every_family,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.4 on the lines of a mesh; Barnett et al., two-dimensional scatter",
};

}  // namespace registered
}  // namespace vnode
