// broadcast_hierarchical: among the leaders of domains, then inside all domains; or so slice by slice.
//   rounds     R + (k - 1) P
//   transfers  M k
//   time       (R + (k - 1) P) t_s + W t_w m
//   needs      domains
//   ports      all
//   best for   domains that are far from each other: each is entered once
//   source     Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020
//   picture    p = 6, domains 2x3, root 0: 1: 0>3; 2: 0>2 3>5; 3: 0>1 3>4
#include "collective/hierarchical.hpp"

namespace vnode {

namespace {

// The root is its domain's leader.
Schedule by_leaders(const Level& level, const Parameters& parameters) {
  const int home = level.domain_of(parameters.root);
  std::vector<Rank> leaders = level.across(0);
  leaders[static_cast<std::size_t>(home)] = parameters.root;
  Phases phases(parameters.nodes, 1);
  phases.add(level.outside(Collective::broadcast, home), leaders, {{0}});
  phases.next();
  for (int index = 0; index < level.count(); ++index)
    phases.add(
        level.inside(Collective::broadcast, index, index == home ? level.place_of(parameters.root) : 0),
        level.domain(index), {{0}});
  return phases.schedule();
}

// The root scatters slices in its domain, each goes to all domains, and there to all.
Schedule by_slices(const Level& level, const Parameters& parameters) {
  const int home = level.domain_of(parameters.root), slices = level.slices();
  Phases phases(parameters.nodes, slices);
  phases.add(level.inside(Collective::scatter, home, level.place_of(parameters.root)), level.domain(home),
             first_units(level.size(home), slices));
  phases.next();
  for (int slice = 0; slice < slices; ++slice)
    phases.add(level.outside(Collective::broadcast, home), level.across(slice), {{slice}});
  phases.next();
  for (int index = 0; index < level.count(); ++index)
    phases.add(level.inside(Collective::all_gather, index), level.domain(index),
               first_units(level.size(index), slices));
  std::vector<Units> held(static_cast<std::size_t>(parameters.nodes));
  for (int slice = 0; slice < slices; ++slice)
    held[static_cast<std::size_t>(parameters.root)].push_back(slice);
  return phases.news(held);
}

Schedule segment(const Parameters& parameters) {
  const Level level(Collective::broadcast, parameters);
  return level.slices() == 1 ? by_leaders(level, parameters) : by_slices(level, parameters);
}

using Promised = Hierarchical<Collective::broadcast, segment>;

}  // namespace

Schedule broadcast_hierarchical(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm broadcast_hierarchical = moving_row<Promised>({
    .name = "broadcast_hierarchical",
    .collective = Collective::broadcast,
    .best_for = "domains that are far from each other: each is entered once",
    .source = "Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020",
});

}  // namespace registered
}  // namespace vnode
