// all_gather_mesh: rings in all rows, then rings of whole rows in all columns, and so on.
//   rounds     sum(extent - 1)
//   transfers  p sum(extent - 1)
//   time       t_s sum(extent - 1) + t_w m (p - 1)
//   needs      extents
//   ports      single
//   best for   long messages on meshes and tori
//   source     Grama et al., algorithm 4.6; any extents
//   picture    p = 2x2: 1: 0>1[0] 1>0[1] 2>3[2] 3>2[3]; 2: 0>2[0-1] 1>3[0-1] 2>0[2-3] 3>1[2-3]
#include "collective/all_gather.hpp"
#include "collective/formula.hpp"
#include "collective/lines.hpp"

namespace vnode {

// The fastest dimension first: then what a node has gathered is always one interval, as long as the stride of
// the next dimension.
Schedule all_gather_mesh(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p);
  for (const Line& line : fastest_first(parameters.extents))
    for (int t = 0; t < line.extent - 1; ++t) {
      Round& round = schedule.next_round();
      for (Rank rank = 0; rank < p; ++rank) {
        const Rank origin = along_line(rank, line, -t);
        const int first = origin - origin % line.stride;
        round.push_back({rank, along_line(rank, line, 1), schedule.interval(first, first + line.stride)});
      }
    }
  return schedule;
}

namespace {

int rounds(const Parameters& parameters) {
  int sum = 0;
  for (const int extent : parameters.extents) sum += extent - 1;
  return sum;
}

}  // namespace

namespace registered {

constinit const Algorithm all_gather_mesh{
    .name = "all_gather_mesh",
    .collective = Collective::all_gather,
    .build = vnode::all_gather_mesh,
    .cost =
        [](const Parameters& parameters) {
          return one_block_per_other_node(rounds(parameters), parameters.nodes);
        },
    .rounds = {"sum(extent - 1)", rounds},
    .transfers = {"p sum(extent - 1)",
                  [](const Parameters& parameters) { return parameters.nodes * rounds(parameters); }},
    .time = "t_s sum(extent - 1) + t_w m (p - 1)",
    .peers =
        [](const Parameters& parameters, int round, Rank from, Rank to) {
          for (const Line& line : fastest_first(parameters.extents)) {
            if (round < line.extent - 1) return to == along_line(from, line, 1);
            round -= line.extent - 1;
          }
          return false;
        },
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "long messages on meshes and tori",
    .source = "Grama et al., algorithm 4.6; any extents",
};

}  // namespace registered
}  // namespace vnode
