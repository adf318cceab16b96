// Collectives without a root over domains of nodes that are near each other: to the leaders of domains, among
// these, from there to all; or so slice by slice, where several nodes of a domain talk to others.
#include <algorithm>
#include <fmt/format.h>

#include "building_blocks/level.hpp"
#include "building_blocks/segment.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace hierarchical_exchange {

// Returns what node `slice` of each domain has gathered there.
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

Segment all_gather(const Parameters& parameters) {
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
  phases.without_repeats(std::move(held));
  return {std::move(phases)};
}

Segment reduce_scatter(const Parameters& parameters) {
  return {all_gather(parameters).phases,
          parameters.keep_order ? Segment::Played::in_order : Segment::Played::dual};
}

void add_inside(Phases& phases, const Level& level, Collective task, bool by_slices) {
  for (int index = 0; index < level.count(); ++index)
    phases.add(level.inside(task, index), level.domain(index),
               by_slices ? first_units(level.size(index), level.slices()) : std::vector<Units>{{0}});
}

// Returns whether it is a reduction of pieces, which are gathered afterwards: others than the leader have had
// whole results.
bool gathers(const Schedule& reduction) {
  return std::ranges::any_of(reduction.rounds(), [](const Round& round) {
    return std::ranges::any_of(round, [](const Transfer& t) { return t.effect == Effect::replace; });
  });
}

Segment all_reduce(const Parameters& parameters) {
  const Level level(Collective::all_reduce, parameters);
  // Of one domain alone, some would have whole results before they are handed round.
  const bool by_slices = level.form() == HierarchyForm::slices && level.count() > 1;
  if (level.count() == 1 && gathers(level.inside(Collective::reduce, 0)))
    throw UsageError(
        fmt::format("needs several domains: within one, {} would send nodes what they have already",
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
  return {std::move(phases), Segment::Played::sided};
}

}  // namespace hierarchical_exchange

namespace registered {

constexpr Algorithm all_gather_hierarchical =
    Hierarchical<Collective::all_gather, hierarchical_exchange::all_gather>::row(
        {.name = "all_gather_hierarchical"});
constexpr Algorithm reduce_scatter_hierarchical =
    Hierarchical<Collective::reduce_scatter, hierarchical_exchange::reduce_scatter>::row({
        .name = "reduce_scatter_hierarchical",
        .source = "dual of all_gather_hierarchical",
    });
constexpr Algorithm all_reduce_hierarchical =
    Hierarchical<Collective::all_reduce, hierarchical_exchange::all_reduce>::row(
        {.name = "all_reduce_hierarchical"});

}  // namespace registered
}  // namespace vnode
