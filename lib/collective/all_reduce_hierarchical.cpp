// all_reduce_hierarchical: to the leaders of domains, all_reduce among these, back to all; or slice by slice.
//   rounds     R + (k - 1) P
//   transfers  M k
//   time       (R + (k - 1) P) t_s + (W t_w + C t_op) m
//   needs      domains
//   ports      all
//   best for   domains that are far from each other
//   source     Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020
//   picture    p = 6, domains 2x3: 1: 1>+0 4>+3; 2: 2>+0 5>+3; 3: 0+>3 3>+0; 4: 0>2 3>5; 5: 0>1 3>4
#include <algorithm>
#include <fmt/format.h>

#include <vnode/compose.hpp>
#include <vnode/error.hpp>

#include "collective/hierarchical.hpp"

namespace vnode {

namespace {

void add_inside(Phases& phases, const Level& level, Collective task, bool by_slices) {
  for (int index = 0; index < level.count(); ++index)
    phases.add(level.inside(task, index), level.domain(index),
               by_slices ? first_units(level.size(index), level.slices()) : std::vector<Units>{{0}});
}

// A reduction of pieces, which are gathered afterwards: others than the leader have had whole results.
bool gathers(const Schedule& reduction) {
  return std::ranges::any_of(reduction.rounds(), [](const Round& round) {
    return std::ranges::any_of(round, [](const Transfer& t) { return t.effect == Effect::replace; });
  });
}

Schedule segment(const Parameters& parameters) {
  const Level level(Collective::all_reduce, parameters);
  // Of one domain alone, some would have whole results before they are handed round.
  const bool by_slices = level.form() == HierarchyForm::slices && level.count() > 1;
  if (level.count() == 1 && gathers(level.inside(Collective::reduce, 0)))
    throw UsageError(fmt::format("needs several domains: in one alone {} would bring nodes what they have",
                                 parameters.hierarchy.ways().inner));
  const int slices = by_slices ? level.slices() : 1;
  Phases phases(parameters.nodes, slices);
  add_inside(phases, level, by_slices ? Collective::reduce_scatter : Collective::reduce, by_slices);
  phases.next();
  for (int slice = 0; slice < slices; ++slice)
    phases.add(level.outside(Collective::all_reduce), level.across(slice), {{slice}});
  phases.next();
  add_inside(phases, level, by_slices ? Collective::all_gather : Collective::broadcast, by_slices);
  level.check_order();
  return sided(phases.schedule());
}

using Promised = Hierarchical<Collective::all_reduce, segment>;

}  // namespace

Schedule all_reduce_hierarchical(const Parameters& parameters) { return Promised::build(parameters); }

namespace registered {

extern constinit const Algorithm all_reduce_hierarchical = combining_row<Promised>({
    .name = "all_reduce_hierarchical",
    .collective = Collective::all_reduce,
    .best_for = "domains that are far from each other",
    .source = "Karonis et al. 2000, as MPI libraries have it; slices: Traeff, Hunold 2020",
});

}  // namespace registered
}  // namespace vnode
