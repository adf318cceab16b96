// reduce_fences: up edge-disjoint fences, one along the root's row, one along its column.
//   rounds     (r + c + k - e) [p > 1]
//   transfers  (p - 1) k
//   time       (t_s (r + c + k - e) + (t_w + t_op) m (r + c + k - e - i) / k) [p > 1]
//   needs      extents, rows_and_columns
//   ports      single
//   best for   long messages on meshes
//   source     dual of broadcast_fences
//   picture    p = 2x3, segments 2: 1: 2+>5[1]; 2: 1+>4[1]; 3: 5>+4[1]; 4: 5>+2[0] 4+>3[1]; 5: 3>+2[0]
//              4>+1[0]; 6: 2>+1[0] 3>+0[1]; 7: 1>+0[0]
#include "collective/broadcast.hpp"
#include "collective/fences.hpp"
#include "collective/formula.hpp"
#include "collective/reduction.hpp"

namespace vnode {

namespace {

const ReductionPromises promises{registered::broadcast_fences};

}  // namespace

Schedule reduce_fences(const Parameters& parameters) { return reduction(broadcast_fences, parameters); }

namespace registered {

extern constinit const Algorithm reduce_fences{
    .name = "reduce_fences",
    .collective = Collective::reduce,
    .build = vnode::reduce_fences,
    .cost = [](const Parameters& parameters) { return promises.cost(parameters); },
    .rounds = {"(r + c + k - e) [p > 1]",
               [](const Parameters& parameters) { return promises.rounds(parameters); }},
    .transfers = {"(p - 1) k", [](const Parameters& parameters) { return promises.transfers(parameters); }},
    .time = "(t_s (r + c + k - e) + (t_w + t_op) m (r + c + k - e - i) / k) [p > 1]",
    .symbols = fences_symbols,
    .peers = [](const Parameters& parameters, int round, Rank from,
                Rank to) { return promises.peers(parameters, round, from, to); },
    .needs = rows_and_columns,
    .segments = true,
    .keeps_order = KeepsOrder::never,
    .carriers = mesh_families,
    .best_for = "long messages on meshes",
    .source = "dual of broadcast_fences",
};

}  // namespace registered
}  // namespace vnode
