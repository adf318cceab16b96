// scatter_hierarchical: among the leaders of domains, from there to all; or slice by slice.
//   rounds     R + (k - 1) P
//   transfers  M k
//   time       (R + (k - 1) P) t_s + W t_w m
//   needs      domains
//   ports      all
//   best for   domains that are far from each other
//   source     Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020
//   picture    p = 6, domains 2x3, root 0: 1: 0>3[3-5]; 2: 0>2[2] 3>5[5]; 3: 0>1[1] 3>4[4]
#include "collective/hierarchical.hpp"

namespace vnode {

namespace {

// The root is its domain's leader.
Schedule by_leaders(const Level& level, const Parameters& parameters) {
  const int home = level.domain_of(parameters.root);
  std::vector<Rank> leaders = level.across(0);
  leaders[static_cast<std::size_t>(home)] = parameters.root;
  Phases phases(parameters.nodes, parameters.nodes);
  phases.add(level.outside(Collective::scatter, home), leaders, level.domains());
  phases.next();
  for (int index = 0; index < level.count(); ++index)
    phases.add(level.inside(Collective::scatter, index, index == home ? level.place_of(parameters.root) : 0),
               level.domain(index), own_units(level.domain(index)));
  return phases.schedule();
}

// In the root's domain everybody gets its own, and some what they send on to those that serve it elsewhere.
Schedule by_slices(const Level& level, const Parameters& parameters) {
  const int home = level.domain_of(parameters.root);
  std::vector<Units> first = own_units(level.domain(home));
  Phases phases(parameters.nodes, parameters.nodes);
  for (int slice = 0; slice < level.slices(); ++slice)
    for (int index = 0; index < level.count(); ++index)
      if (index != home)
        for (const Rank rank : level.served_ranks(index, slice))
          first[static_cast<std::size_t>(slice)].push_back(rank);
  phases.add(level.inside(Collective::scatter, home, level.place_of(parameters.root)), level.domain(home),
             first);
  phases.next();
  for (int slice = 0; slice < level.slices(); ++slice) {
    std::vector<Units> sent;
    for (int index = 0; index < level.count(); ++index)
      sent.push_back(index == home ? Units{} : level.served_ranks(index, slice));
    phases.add(level.outside(Collective::scatter, home), level.across(slice), sent);
  }
  phases.next();
  for (int index = 0; index < level.count(); ++index)
    for (int slice = 0; index != home && slice < level.slices(); ++slice) {
      const std::vector<Rank> ranks = level.served_ranks(index, slice);
      phases.add(level.among(Collective::scatter, static_cast<int>(ranks.size())), ranks, own_units(ranks));
    }
  return phases.schedule();
}

Schedule segment(const Parameters& parameters) {
  const Level level(Collective::scatter, parameters);
  return level.form() == HierarchyForm::leaders ? by_leaders(level, parameters)
                                                : by_slices(level, parameters);
}

using Promised = Hierarchical<Collective::scatter, segment>;

}  // namespace

Schedule scatter_hierarchical(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm scatter_hierarchical = moving_row<Promised>({
    .name = "scatter_hierarchical",
    .collective = Collective::scatter,
    .best_for = "domains that are far from each other",
    .source = "Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020",
});

}  // namespace registered
}  // namespace vnode
