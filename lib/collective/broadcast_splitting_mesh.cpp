// broadcast_splitting_mesh: a scatter along the root's column and all rows, then rings in rows and columns.
//   rounds     sum(ceil(log2 extent) + extent - 1)
//   transfers  p - 1 + p sum(extent - 1) - b
//   time       t_s sum(ceil(log2 extent) + extent - 1) + 2 t_w m (p - 1) / p
//   needs      extents
//   ports      single
//   best for   long messages on meshes and tori
//   source     Grama et al. 4.7.1; Barnett et al., two-dimensional scatter-collect
//   picture    p = 2x3, root 0: 1: 0>3[3-5]; 2: 0>2[2] 3>5[5]; 3: 0>1[1] 3>4[4]; 4: 0>1[0] 1>2[1] 3>4[3]
//              4>5[4]; 5: 0>1[2] 1>2[0] 3>4[5] 4>5[3]; 6: 0>3[0-2] 1>4[0-2] 2>5[0-2] 4>1[3-5] 5>2[3-5]
// Nobody is sent what it has. In the slowest dimension the scatter has one line, in the next as many as that
// has nodes, and so on; a line of n nodes has passed on as many bundles as there are ones in 0 to n - 1. b:
// what the lines of the scatter have passed on.
#include "collective/all_gather.hpp"
#include "collective/composition.hpp"
#include "collective/scatter.hpp"
#include "collective/splitting.hpp"

namespace vnode {

Schedule broadcast_splitting_mesh(const Parameters& parameters) {
  return split_broadcast(scatter_mesh(parameters), all_gather_mesh(parameters), parameters.root);
}

namespace {

int passed_on(const Parameters& parameters) {
  int lines = 1, sum = 0;
  for (const int extent : parameters.extents) {
    sum += lines * ones_below(extent);
    lines *= extent;
  }
  return sum;
}

constexpr Symbol symbols[] = {{"b", "what the lines of the scatter have passed on",
                               [](const Parameters& parameters) -> double { return passed_on(parameters); }}};

}  // namespace

namespace registered {

using SplittingMesh = Splitting<scatter_mesh, all_gather_mesh>;

extern constinit const Algorithm broadcast_splitting_mesh{
    .name = "broadcast_splitting_mesh",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_splitting_mesh,
    .cost = SplittingMesh::cost,
    .rounds = {"sum(ceil(log2 extent) + extent - 1)", SplittingMesh::rounds},
    .transfers = {"p - 1 + p sum(extent - 1) - b",
                  [](const Parameters& parameters) {
                    return SplittingMesh::transfers(parameters) - passed_on(parameters);
                  }},
    .time = "t_s sum(ceil(log2 extent) + extent - 1) + 2 t_w m (p - 1) / p",
    .symbols = symbols,
    .peers = SplittingMesh::peers,
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "long messages on meshes and tori",
    .source = "Grama et al. 4.7.1; Barnett et al., two-dimensional scatter-collect",
};

}  // namespace registered
}  // namespace vnode
