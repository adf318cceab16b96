#include "building_blocks/level.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/compose.hpp>
#include <vnode/topology.hpp>

#include "building_blocks/names.hpp"
#include "building_blocks/needs.hpp"
#include "building_blocks/remembered.hpp"

namespace vnode {

namespace {

using enum Collective;

constexpr Collective only_broadcast[] = {broadcast}, only_scatter[] = {scatter},
                     only_all_gather[] = {all_gather}, only_all_reduce[] = {all_reduce},
                     only_barrier[] = {barrier}, scatter_all_gather[] = {scatter, all_gather},
                     gather_broadcast[] = {gather, broadcast}, gather_all_gather[] = {gather, all_gather},
                     reduce_broadcast[] = {reduce, broadcast},
                     reduce_scatter_all_gather[] = {reduce_scatter, all_gather};

// Returns the names joined by '+', in their order; none of an empty text.
std::vector<std::string_view> listed(std::string_view names) {
  return names.empty() ? std::vector<std::string_view>() : split(names, '+');
}

const Algorithm* named(Collective task, std::string_view suffix) {
  for (const Algorithm& candidate : algorithms())
    if (candidate.collective == task && own_name(candidate) == suffix) return &candidate;
  return nullptr;
}

// Returns an algorithm for any number of nodes, with one port each where rank order does not forbid it.
std::string_view usual(Collective task, bool keep_order) {
  switch (task) {
    case all_gather:
      return keep_order ? "direct" : "bruck";
    case reduce_scatter:
      return "halving";
    case all_reduce:
      return "doubling";
    case barrier:
      return "dissemination";
    default:
      return "binomial";
  }
}

// Returns the first of the names that there is for the task, or the usual one.
const Algorithm& serving(Collective task, std::string_view names, bool keep_order) {
  for (const std::string_view suffix : listed(names))
    if (const Algorithm* found = named(task, suffix)) return *found;
  return *named(task, usual(task, keep_order));
}

// Returns what is done inside the innermost of so many levels.
std::vector<Collective> innermost(Collective collective, HierarchyForm form, int levels) {
  std::vector<Collective> all;
  for (const Collective task : tasks(collective, form).inner) {
    const std::vector<Collective> below = levels > 1 ? innermost(task, form, levels - 1) : std::vector{task};
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

// Returns what is done across the domains of all levels.
std::vector<Collective> across_all(Collective collective, HierarchyForm form, int levels) {
  const std::span<const Collective> outer = tasks(collective, form).outer;
  std::vector<Collective> all(outer.begin(), outer.end());
  if (levels > 1)
    for (const Collective task : tasks(collective, form).inner) {
      const std::vector<Collective> below = across_all(task, form, levels - 1);
      all.insert(all.end(), below.begin(), below.end());
    }
  return all;
}

bool serves_any(std::string_view suffix, std::span<const Collective> tasks) {
  return std::ranges::any_of(tasks, [=](Collective task) { return named(task, suffix) != nullptr; });
}

// Returns those of the names that are good for one of the tasks.
std::string useful(std::string_view names, std::span<const Collective> tasks) {
  std::vector<std::string_view> list = listed(names);
  std::erase_if(list, [=](std::string_view suffix) { return !serves_any(suffix, tasks); });
  return fmt::format("{}", fmt::join(list, "+"));
}

// Every name that is given has to be good for something.
void check_useful(std::string_view names, const std::vector<Collective>& tasks, std::string_view where) {
  for (const std::string_view suffix : listed(names)) {
    if (serves_any(suffix, tasks)) continue;
    std::vector<std::string> wanted;
    for (const Collective task : tasks) wanted.push_back(fmt::format("{}_{}", enums::name(task), suffix));
    std::ranges::sort(wanted);
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    throw UsageError(fmt::format("needs another algorithm {} domains than {}: there is no {}", where, suffix,
                                 fmt::join(wanted, " and no ")));
  }
}

// Returns a broadcast whose dual combines in rank order: if the algorithm's own does not, by way of node 0,
// whence it reaches all below the root, while the root reaches those above. No message more than otherwise.
template <class Build>
Schedule in_order(const Build& build, int nodes, int root) {
  Schedule plain = build(nodes, root);
  if (root == 0 || compose::dual_in_order(plain)) return plain;
  std::vector<Rank> below(static_cast<std::size_t>(root)), above(static_cast<std::size_t>(nodes - root));
  std::iota(below.begin(), below.end(), 0);
  std::iota(above.begin(), above.end(), root);
  Schedule first(nodes, 1);
  first.next_round().push_back({root, 0, Blocks::whole});
  std::vector<Rank> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  Phases phases(nodes, 1);
  phases.add(std::move(first), std::move(all), {{0}});
  phases.next();
  phases.add(build(root, 0), std::move(below), {{0}});
  phases.add(build(nodes - root, 0), std::move(above), {{0}});
  return phases.schedule();
}

}  // namespace

Tasks tasks(Collective collective, HierarchyForm form) {
  const bool leaders = form == HierarchyForm::leaders;
  switch (collective) {
    case broadcast:
    case reduce:
      return {leaders ? std::span<const Collective>(only_broadcast) : scatter_all_gather, only_broadcast};
    case all_gather:
    case reduce_scatter:
      return {leaders ? gather_broadcast : gather_all_gather, only_all_gather};
    case scatter:
    case gather:
      return {only_scatter, only_scatter};
    case all_reduce:
      return {leaders ? reduce_broadcast : reduce_scatter_all_gather, only_all_reduce};
    default:
      return {only_broadcast, only_barrier};
  }
}

Level::Level(Collective collective, const Parameters& parameters)
    : form_(parameters.hierarchy.ways().form.value_or(HierarchyForm::leaders)),
      hierarchy_(parameters.hierarchy),
      domains_(hierarchy_.domains()),
      slices_(1),
      radix_(parameters.radix),
      keep_order_(parameters.keep_order) {
  if (!hierarchy_) throw UsageError("a hierarchical algorithm needs domains, as 4x8, and there are none");
  if (form_ == HierarchyForm::slices)
    slices_ = static_cast<int>(
        std::ranges::min(domains_, {}, [](const std::vector<Rank>& ranks) { return ranks.size(); }).size());
  check_useful(hierarchy_.ways().inner, innermost(collective, form_, hierarchy_.levels()), "inside");
  check_useful(hierarchy_.ways().outer, across_all(collective, form_, hierarchy_.levels()), "across");
}

int Level::domain_of(Rank rank) const {
  for (int index = 0; index < count(); ++index)
    if (std::ranges::binary_search(domain(index), rank)) return index;
  return -1;
}

int Level::place_of(Rank rank) const {
  const std::vector<Rank>& own = domain(domain_of(rank));
  return static_cast<int>(std::ranges::lower_bound(own, rank) - own.begin());
}

std::vector<Rank> Level::across(int slice) const {
  std::vector<Rank> ranks;
  for (const std::vector<Rank>& domain : domains_) ranks.push_back(domain[static_cast<std::size_t>(slice)]);
  return ranks;
}

std::vector<int> Level::served(int index, int slice) const {
  std::vector<int> places;
  for (int place = slice; place < size(index); place += slices_) places.push_back(place);
  return places;
}

std::vector<Rank> Level::served_ranks(int index, int slice) const {
  std::vector<Rank> ranks;
  for (const int place : served(index, slice))
    ranks.push_back(domain(index)[static_cast<std::size_t>(place)]);
  return ranks;
}

void Level::check_order() const {
  for (const std::vector<Rank>& ranks : domains_)
    if (keep_order_ && ranks.back() - ranks.front() >= static_cast<Rank>(ranks.size()))
      throw UsageError(needs_order);
}

const Schedule& Level::built(const Algorithm& algorithm, std::string_view where,
                             Parameters parameters) const {
  parameters.keep_order = keep_order_;
  parameters.radix = radix_;
  for (const Built& one : built_)
    if (one.algorithm == &algorithm && same(one.parameters, parameters)) return one.schedule;
  const auto build = [&](int nodes, int root) {
    Parameters own = parameters;
    own.nodes = nodes;
    own.root = root;
    const Topology squarest(shapes::mesh{}, nodes);
    own.extents.assign(squarest.extents().begin(), squarest.extents().end());
    if (const auto reason = why_not(algorithm, own))
      throw UsageError(own.hierarchy
                           ? *reason
                           : fmt::format("needs another algorithm {} domains than {} for {} nodes: it {}",
                                         where, algorithm.name, nodes, *reason));
    return algorithm.build(own);
  };
  const bool by_way_of_0 = keep_order_ && algorithm.collective == broadcast && !parameters.hierarchy;
  Schedule schedule = by_way_of_0 ? in_order(build, parameters.nodes, parameters.root)
                                  : build(parameters.nodes, parameters.root);
  return built_.emplace_back(&algorithm, std::move(parameters), std::move(schedule)).schedule;
}

const Schedule& Level::inside(Collective task, int index, int root) const {
  const Hierarchy rest = hierarchy_.within(index);
  if (!rest) return among(task, size(index), root);
  const Hierarchy::Ways& ways = hierarchy_.ways();
  return built(*named(task, "hierarchical"), "inside",
               {.nodes = size(index),
                .root = root,
                .hierarchy = rest.with({useful(ways.inner, innermost(task, form_, rest.levels())),
                                        useful(ways.outer, across_all(task, form_, rest.levels())), form_})});
}

const Schedule& Level::among(Collective task, int nodes, int root) const {
  return built(serving(task, hierarchy_.ways().inner, keep_order_), "inside", {.nodes = nodes, .root = root});
}

const Schedule& Level::outside(Collective task, int root) const {
  return built(serving(task, hierarchy_.ways().outer, keep_order_), "across",
               {.nodes = count(), .root = root});
}

std::vector<Units> first_units(int nodes, int given) {
  std::vector<Units> units(static_cast<std::size_t>(nodes));
  for (int i = 0; i < given; ++i) units[static_cast<std::size_t>(i)] = {i};
  return units;
}

std::vector<Units> own_units(const std::vector<Rank>& ranks) {
  std::vector<Units> units;
  for (const Rank rank : ranks) units.push_back({rank});
  return units;
}

Ports ports(const Algorithm& algorithm, const Parameters& parameters) {
  if (!needs(algorithm, Need::domains)) return algorithm.ports;
  const Hierarchy& hierarchy = parameters.hierarchy;
  const HierarchyForm form = hierarchy.ways().form.value_or(HierarchyForm::leaders);
  const auto all_port = [&](const std::vector<Collective>& tasks, std::string_view names) {
    return std::ranges::any_of(tasks, [&](Collective task) {
      return serving(task, names, parameters.keep_order).ports == Ports::all;
    });
  };
  const bool any =
      all_port(innermost(algorithm.collective, form, hierarchy.levels()), hierarchy.ways().inner) ||
      all_port(across_all(algorithm.collective, form, hierarchy.levels()), hierarchy.ways().outer);
  return any ? Ports::all : Ports::single;
}

}  // namespace vnode
