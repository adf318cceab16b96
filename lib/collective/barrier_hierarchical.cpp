// barrier_hierarchical: arrivals climb to the leaders of domains, who have a barrier; then all are released.
//   rounds     R
//   transfers  M
//   time       R t_s
//   needs      domains
//   ports      all
//   best for   domains that are far from each other
//   source     hierarchical barriers of MPI libraries: Karonis et al. 2000
//   picture    p = 6, domains 2x3: 1: 1>0 4>3; 2: 2>0 5>3; 3: 0>3 3>0; 4: 0>2 3>5; 5: 0>1 3>4
#include <vnode/compose.hpp>

#include "collective/hierarchical.hpp"

namespace vnode {

namespace {

// The transfers by which a node hears of the message at all: a broadcast may send it piece by piece.
Schedule tree(const Schedule& broadcast) {
  std::vector<bool> reached(static_cast<std::size_t>(broadcast.nodes()));
  reached[0] = true;
  Schedule first(broadcast.nodes(), broadcast.blocks());
  for (const Round& round : broadcast.rounds()) {
    Round& next = first.next_round();
    for (const Transfer& t : round)
      if (auto heard = reached[static_cast<std::size_t>(t.to)]; !heard) {
        heard = true;
        next.push_back({t.from, t.to, whole});
      }
  }
  return first;
}

Schedule segment(const Parameters& parameters) {
  const Level level(Collective::barrier, parameters);
  std::vector<Schedule> trees;
  for (int index = 0; index < level.count(); ++index)
    trees.push_back(tree(level.inside(Collective::broadcast, index)));
  Phases phases(parameters.nodes, 0);
  for (int index = 0; index < level.count(); ++index)
    phases.add(reversed(trees[static_cast<std::size_t>(index)]), level.domain(index), {});
  phases.next();
  phases.add(level.outside(Collective::barrier), level.across(0), {});
  phases.next();
  for (int index = 0; index < level.count(); ++index)
    phases.add(trees[static_cast<std::size_t>(index)], level.domain(index), {});
  return phases.schedule();
}

using Promised = Hierarchical<Collective::barrier, segment>;

}  // namespace

Schedule barrier_hierarchical(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm barrier_hierarchical = hierarchical_row<Promised>({
    .name = "barrier_hierarchical",
    .collective = Collective::barrier,
    .rounds = "R",
    .transfers = "M",
    .time = "R t_s",
    .symbols = Promised::signalling,
    .best_for = "domains that are far from each other",
    .source = "hierarchical barriers of MPI libraries: Karonis et al. 2000",
});

}  // namespace registered
}  // namespace vnode
