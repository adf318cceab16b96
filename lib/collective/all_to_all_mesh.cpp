// all_to_all_mesh: in all rows, to the column of the destination; then in all columns, and so on.
//   rounds     sum(extent - 1)
//   transfers  p sum(extent - 1)
//   time       (t_s + t_w m p / 2) sum(extent - 1)
//   needs      extents
//   ports      single
//   best for   short messages on meshes and tori
//   source     Grama et al. 4.5.2; any extents
//   picture    p = 2x2: 1: 0>1[1,3] 1>0[4,6] 2>3[9,11] 3>2[12,14]; 2: 0>2[2,6] 1>3[3,7] 2>0[8,12] 3>1[9,13]
// On a line all that is not yet in its column goes right, as all_to_all_ring does it.
#include "collective/all_gather.hpp"
#include "collective/all_to_all.hpp"
#include "collective/composition.hpp"
#include "collective/formula.hpp"
#include "collective/lines.hpp"

namespace vnode {

Schedule all_to_all_mesh(const Parameters& parameters) {
  const int p = parameters.nodes;
  Schedule schedule(p, p * p);
  for (const Line& line : fastest_first(parameters.extents)) {
    const auto at = [&](Rank rank) { return rank / line.stride % line.extent; };
    for (int t = 1; t < line.extent; ++t) {
      Round& round = schedule.next_round();
      for (Rank rank = 0; rank < p; ++rank) {
        // The blocks that were t - 1 steps back when the line began, and have to go t steps or more.
        const Rank began = along_line(rank, line, 1 - t);
        const int first = began - began % line.stride;
        std::vector<Interval> blocks;
        for (Rank source = first; source < first + line.stride; ++source)
          for (Rank destination = began % line.stride; destination < p; destination += line.stride)
            if (cyclic_distance(at(began), at(destination), line.extent) >= t)
              blocks.push_back({source * p + destination, source * p + destination + 1});
        round.push_back({rank, along_line(rank, line, 1), schedule.blocks_of(blocks)});
      }
    }
  }
  return schedule;
}

namespace registered {

constinit const Algorithm all_to_all_mesh{
    .name = "all_to_all_mesh",
    .collective = Collective::all_to_all,
    .build = vnode::all_to_all_mesh,
    .cost =
        [](const Parameters& parameters) {
          const double rounds = Along<all_gather_mesh>::rounds(parameters);
          const double words = rounds * parameters.nodes / 2;
          return Cost{rounds, words, words, 0};
        },
    .rounds = {"sum(extent - 1)", Along<all_gather_mesh>::rounds},
    .transfers = {"p sum(extent - 1)", Along<all_gather_mesh>::transfers},
    .time = "(t_s + t_w m p / 2) sum(extent - 1)",
    .peers = Along<all_gather_mesh>::peers,
    .needs = mesh_extents,
    .carriers = mesh_families,
    .best_for = "short messages on meshes and tori",
    .source = "Grama et al. 4.5.2; any extents",
};

}  // namespace registered
}  // namespace vnode
