// all_gather_hierarchical: to the leaders of domains, among these, from there to all; or slice by slice.
//   rounds     R + (k - 1) P
//   transfers  M k
//   time       (R + (k - 1) P) t_s + W t_w m
//   needs      domains
//   ports      all
//   best for   domains that are far from each other
//   source     Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020
//   picture    p = 6, domains 2x3: 1: 1>0[1] 4>3[4]; 2: 2>0[2] 5>3[5]; 3: 0>3[0-2] 3>0[3-5];
//              4: 0>2[0-1,3-5] 3>5[0-4]; 5: 0>1[0,2-5] 3>4[0-3,5]
#include "collective/hierarchical.hpp"

namespace vnode {

namespace {

// What node `slice` of each domain has gathered there.
std::vector<Units> gathered(const Level& level, int slice) {
  std::vector<Units> units;
  for (int index = 0; index < level.count(); ++index) units.push_back(level.served_ranks(index, slice));
  return units;
}

void add_gather(Phases& phases, const Level& level) {
  for (int index = 0; index < level.count(); ++index)
    if (level.slices() == 1)
      phases.add(level.inside(Collective::gather, index), level.domain(index),
                 own_units(level.domain(index)));
    else
      for (int slice = 0; slice < level.slices(); ++slice) {
        const std::vector<Rank> ranks = level.served_ranks(index, slice);
        phases.add(level.among(Collective::gather, static_cast<int>(ranks.size())), ranks, own_units(ranks));
      }
}

// Everybody has its own; the others of a domain get the slices from those that talked to other domains.
void add_spread(Phases& phases, const Level& level) {
  std::vector<Units> slices;
  for (int slice = 0; slice < level.slices(); ++slice) {
    Units& all = slices.emplace_back();
    for (const Units& units : gathered(level, slice)) all.insert(all.end(), units.begin(), units.end());
  }
  for (int index = 0; index < level.count(); ++index) {
    std::vector<Units> shares = slices;
    if (level.form() == HierarchyForm::slices) shares.resize(static_cast<std::size_t>(level.size(index)));
    phases.add(
        level.inside(level.form() == HierarchyForm::slices ? Collective::all_gather : Collective::broadcast,
                     index),
        level.domain(index), std::move(shares));
  }
}

Schedule segment(const Parameters& parameters) {
  const Level level(Collective::all_gather, parameters);
  Phases phases(parameters.nodes, parameters.nodes);
  add_gather(phases, level);
  phases.next();
  for (int slice = 0; slice < level.slices(); ++slice)
    phases.add(level.outside(Collective::all_gather), level.across(slice), gathered(level, slice));
  phases.next();
  add_spread(phases, level);
  std::vector<Units> held;
  for (Rank rank = 0; rank < parameters.nodes; ++rank) held.push_back({rank});
  return phases.news(held);
}

using Promised = Hierarchical<Collective::all_gather, segment>;

}  // namespace

Schedule all_gather_hierarchical(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm all_gather_hierarchical = moving_row<Promised>({
    .name = "all_gather_hierarchical",
    .collective = Collective::all_gather,
    .best_for = "domains that are far from each other",
    .source = "Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020",
});

}  // namespace registered
}  // namespace vnode
