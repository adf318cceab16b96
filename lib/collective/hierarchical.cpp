// Rooted collectives and the barrier over domains of nodes that are near each other: inside domains by one
// algorithm, among them by another. The root is its domain's leader.
#include <vnode/model/compose.hpp>

#include "building_blocks/level.hpp"
#include "building_blocks/segment.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace hierarchical {

std::vector<Rank> leaders_with(Rank root, const Level& level) {
  std::vector<Rank> leaders = level.across(0);
  leaders[static_cast<std::size_t>(level.domain_of(root))] = root;
  return leaders;
}

// Returns the place of the root in its domain, of the leader in others.
int place_of_leader(const Level& level, int index, Rank root) {
  return index == level.domain_of(root) ? level.place_of(root) : 0;
}

// The message goes among the leaders of domains, then inside all domains.
Phases broadcast_by_leaders(const Level& level, const Parameters& parameters) {
  const Rank root = parameters.root;
  Phases phases(parameters.nodes, 1);
  phases.add(level.outside(Collective::broadcast, level.domain_of(root)), leaders_with(root, level), {{0}});
  phases.next();
  for (int index = 0; index < level.count(); ++index)
    phases.add(level.inside(Collective::broadcast, index, place_of_leader(level, index, root)),
               level.domain(index), {{0}});
  return phases;
}

// The root scatters slices in its domain, each goes to all domains, and there to all.
Phases broadcast_by_slices(const Level& level, const Parameters& parameters) {
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
  phases.without_repeats(std::move(held));
  return phases;
}

Segment broadcast(const Parameters& parameters) {
  const Level level(Collective::broadcast, parameters);
  return {level.slices() == 1 ? broadcast_by_leaders(level, parameters)
                              : broadcast_by_slices(level, parameters)};
}

Segment reduce(const Parameters& parameters) {
  return {broadcast(parameters).phases,
          parameters.keep_order ? Segment::Played::in_order : Segment::Played::dual};
}

Phases scatter_by_leaders(const Level& level, const Parameters& parameters) {
  const Rank root = parameters.root;
  Phases phases(parameters.nodes, parameters.nodes);
  phases.add(level.outside(Collective::scatter, level.domain_of(root)), leaders_with(root, level),
             level.domains());
  phases.next();
  for (int index = 0; index < level.count(); ++index)
    phases.add(level.inside(Collective::scatter, index, place_of_leader(level, index, root)),
               level.domain(index), own_units(level.domain(index)));
  return phases;
}

// In the root's domain everybody gets its own, and some what they send on to those that serve it elsewhere.
Phases scatter_by_slices(const Level& level, const Parameters& parameters) {
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
  return phases;
}

Segment scatter(const Parameters& parameters) {
  const Level level(Collective::scatter, parameters);
  return {level.form() == HierarchyForm::leaders ? scatter_by_leaders(level, parameters)
                                                 : scatter_by_slices(level, parameters)};
}

Segment gather(const Parameters& parameters) {
  return {scatter(parameters).phases, Segment::Played::backwards};
}

// Lists the transfers by which a node hears of the message at all: a broadcast may send it piece by piece.
Schedule tree(const Schedule& broadcast) {
  std::vector<bool> reached(static_cast<std::size_t>(broadcast.nodes()));
  reached[0] = true;
  Schedule first(broadcast.nodes(), broadcast.blocks());
  for (const Round& round : broadcast.rounds()) {
    Round& next = first.next_round();
    for (const Transfer& t : round)
      if (auto heard = reached[static_cast<std::size_t>(t.to)]; !heard) {
        heard = true;
        next.push_back({t.from, t.to, Blocks::whole});
      }
  }
  return first;
}

// Arrivals climb to the leaders of domains, who have a barrier; then all are released.
Segment barrier(const Parameters& parameters) {
  const Level level(Collective::barrier, parameters);
  std::vector<Schedule> trees;
  for (int index = 0; index < level.count(); ++index)
    trees.push_back(tree(level.inside(Collective::broadcast, index)));
  Phases phases(parameters.nodes, 0);
  for (int index = 0; index < level.count(); ++index)
    phases.add(compose::reversed(trees[static_cast<std::size_t>(index)]), level.domain(index), {});
  phases.next();
  phases.add(level.outside(Collective::barrier), level.across(0), {});
  phases.next();
  for (int index = 0; index < level.count(); ++index)
    phases.add(trees[static_cast<std::size_t>(index)], level.domain(index), {});
  return {std::move(phases)};
}

}  // namespace hierarchical

namespace registered {

constexpr Algorithm broadcast_hierarchical =
    Hierarchical<Collective::broadcast, hierarchical::broadcast>::row({
        .name = "broadcast_hierarchical",
        .best_for = "domains that are far from each other: each is entered once",
    });
constexpr Algorithm reduce_hierarchical = Hierarchical<Collective::reduce, hierarchical::reduce>::row({
    .name = "reduce_hierarchical",
    .keeps_order = KeepsOrder::through_zero,
    .best_for = "domains that are far from each other: each is left once",
    .source = "dual of broadcast_hierarchical",
});
constexpr Algorithm scatter_hierarchical =
    Hierarchical<Collective::scatter, hierarchical::scatter>::row({.name = "scatter_hierarchical"});
constexpr Algorithm gather_hierarchical = Hierarchical<Collective::gather, hierarchical::gather>::row({
    .name = "gather_hierarchical",
    .source = "scatter_hierarchical backwards",
});
constexpr Algorithm barrier_hierarchical = Hierarchical<Collective::barrier, hierarchical::barrier>::row({
    .name = "barrier_hierarchical",
    .rounds = "R",
    .transfers = "M",
    .time = "R t_s",
    .symbols = Hierarchical<Collective::barrier, hierarchical::barrier>::signalling,
    .source = "hierarchical barriers of MPI libraries: Karonis et al. 2000",
});

}  // namespace registered
}  // namespace vnode
