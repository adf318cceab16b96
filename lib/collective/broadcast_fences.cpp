// broadcast_fences: two pipelines on edge-disjoint fences, one along the root's row, one along its column.
//   rounds     (r + c + k - e) [p > 1]
//   transfers  (p - 1) k
//   time       (t_s (r + c + k - e) + t_w m (r + c + k - e - i) / k) [p > 1]
//   needs      extents, rows_and_columns
//   ports      single
//   best for   long messages on meshes
//   source     Barnett et al. 1996, edge-disjoint fences; odd extents by closing a row or column further
//   picture    p = 2x3, segments 2: 1: 0>1[0]; 2: 1>2[0] 0>3[1]; 3: 2>3[0] 1>4[0]; 4: 2>5[0] 3>4[1]; 5:
//              4>5[1]; 6: 4>1[1]; 7: 5>2[1]
// k segments. r + c + k rounds exactly where r and c are even. e and i: fences.hpp.
#include "collective/broadcast.hpp"
#include "collective/fences.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

using Fences = DownTrees<fences>;

int rounds(const Parameters& parameters) {
  const int sum = parameters.extents[0] + parameters.extents[1] + parameters.segments;
  return parameters.nodes > 1 ? sum - fences_saved(parameters) : 0;
}

}  // namespace

Schedule broadcast_fences(const Parameters& parameters) { return Fences::build(parameters); }

namespace registered {

constinit const Algorithm broadcast_fences{
    .name = "broadcast_fences",
    .collective = Collective::broadcast,
    .build = vnode::broadcast_fences,
    .cost =
        [](const Parameters& parameters) {
          const double steps = rounds(parameters);
          const double words = (steps - fences_idle(parameters)) / parameters.segments;
          return Cost{steps, words, words, 0};
        },
    .rounds = {"(r + c + k - e) [p > 1]", rounds},
    .transfers = one_per_segment,
    .time = "(t_s (r + c + k - e) + t_w m (r + c + k - e - i) / k) [p > 1]",
    .symbols = fences_symbols,
    .peers = Fences::peers,
    .needs = rows_and_columns,
    .segments = true,
    .carriers = mesh_families,
    .best_for = "long messages on meshes",
    .source = "Barnett et al. 1996, edge-disjoint fences; odd extents by closing a row or column further",
};

}  // namespace registered
}  // namespace vnode
