#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/machine_hierarchy.hpp>

#include "base/at.hpp"
#include "model/pair_class.hpp"

namespace vnode {
namespace {

bool parts(const Hierarchy::Domains& domains, std::size_t nodes) {
  return domains.size() > 1 && domains.size() < nodes;
}

/// Tells whether no domain of `inner` lies in two of `outer`.
bool refines(const Hierarchy::Domains& inner, const Hierarchy::Domains& outer) {
  return std::ranges::all_of(inner, [&](const std::vector<Rank>& domain) {
    return std::ranges::any_of(
        outer, [&](const std::vector<Rank>& whole) { return std::ranges::includes(whole, domain); });
  });
}

}  // namespace

Hierarchy::Named named_domains(const Machine& machine, const Mapping& mapping) {
  return [&](std::string_view name) { return domains_of(machine, mapping, parse_domain_level(name)); };
}

Hierarchy machine_hierarchy(const Machine& machine, const Mapping& mapping, Hierarchy::Domains processes,
                            Hierarchy::Domains carriers) {
  std::vector<Hierarchy::Domains> levels;
  const auto add = [&](Hierarchy::Domains domains) {
    if (!parts(domains, mapping.pu.size())) return;
    if (levels.empty() || (domains != levels.back() && refines(domains, levels.back())))
      levels.push_back(std::move(domains));
  };
  add(domains_of(machine, mapping, DomainLevel::machine));
  add(std::move(processes));
  for (const DomainLevel level : {DomainLevel::package, DomainLevel::numa, DomainLevel::l3})
    add(domains_of(machine, mapping, level));
  add(std::move(carriers));
  return levels.empty() ? Hierarchy() : Hierarchy(std::move(levels));
}

MachineProfile guessed_profile(const Machine& machine) {
  MachineProfile typical = typical_profile(machine);
  if (machine.distances.empty()) return typical;
  try {
    return with_distances(typical, machine);
  } catch (const UsageError&) {  // they make no sense
    return typical;
  }
}

namespace {

/// Returns two nodes, or one, of each PU in each innermost domain: all others are like them.
std::vector<Rank> of_each_place(std::span<const int> pus, const Hierarchy& hierarchy) {
  std::vector<Rank> some;
  std::map<std::pair<std::size_t, int>, int> seen;
  const auto add = [&](std::size_t domain, Rank rank) {
    if (++seen[{domain, at(pus, rank)}] <= 2) some.push_back(rank);
  };
  if (!hierarchy) {
    for (Rank rank = 0; rank < static_cast<Rank>(pus.size()); ++rank) add(0, rank);
    return some;
  }
  const Hierarchy::Domains& domains = hierarchy.domains(hierarchy.levels() - 1);
  for (std::size_t domain = 0; domain < domains.size(); ++domain)
    for (const Rank rank : domains[domain]) add(domain, rank);
  return some;
}

}  // namespace

std::vector<CostModel> costs_by_level(const MachineProfile& profile, const Machine& machine,
                                      std::span<const int> pus, const Hierarchy& hierarchy) {
  const std::vector<PuPlace> all = pu_places(machine);
  const auto place = [&](Rank rank) {
    const int pu = at(pus, rank);
    return at(all, pu);
  };
  std::vector<std::optional<PairClass>> farthest(static_cast<std::size_t>(hierarchy.levels()) + 1);
  const std::vector<Rank> some = of_each_place(pus, hierarchy);
  for (const Rank a : some)
    for (const Rank b : some) {
      if (b >= a) continue;
      std::optional<PairClass>& most = at(farthest, hierarchy.apart(a, b));
      most = std::max(most, std::optional(pair_class(place(a), place(b))));
    }
  std::vector<CostModel> costs;
  for (const std::optional<PairClass>& one : farthest)
    costs.push_back(!one && !costs.empty() ? costs.back()
                                           : profile.cost_model(one.value_or(PairClass::same_core)));
  return costs;
}

namespace {

/// Returns the network's costs for nodes whose messages inside a machine have `costs`.
CostModel across_machines(const MachineProfile& profile, const CostModel& costs) {
  CostModel network = profile.cost_model(PairClass::across_machines);
  network.t_op = costs.t_op;
  network.nodes_per_pu = costs.nodes_per_pu;
  network.turn = costs.turn;
  network.eager_to = costs.eager_to;
  network.shared_from = costs.shared_from;
  return network;
}

}  // namespace

CostModel farthest_costs(const MachineProfile& profile, const Machine& machine, std::span<const int> pus,
                         const CostModel& costs) {
  const auto machine_of = [&](int pu) { return at(machine.pus, pu).machine; };
  const auto elsewhere = [&](int pu) { return machine_of(pu) != machine_of(pus.front()); };
  return std::ranges::any_of(pus, elsewhere) ? across_machines(profile, costs) : costs;
}

std::vector<CostModel> near_costs(const MachineProfile& profile, const Machine& machine,
                                  std::span<const int> pus, const Hierarchy& hierarchy,
                                  const CostModel& costs) {
  if (!hierarchy || hierarchy.nodes() != static_cast<int>(pus.size())) return {};
  std::vector<CostModel> levels = costs_by_level(profile, machine, pus, hierarchy);
  const CostModel farthest = levels.back();
  const auto inside = std::ranges::find_if_not(levels.rbegin(), levels.rend(), &CostModel::shared_link);
  const CostModel far = inside == levels.rend() ? farthest : *inside;
  levels.pop_back();
  const auto no_nearer = [&](const CostModel& near) {
    return near.t_s >= farthest.t_s && near.t_w >= farthest.t_w;
  };
  if (std::ranges::all_of(levels, no_nearer)) return {};
  const auto scaled = [](double given, double near, double farthest_inside) {
    return farthest_inside > 0 ? given * near / farthest_inside : given;
  };
  for (CostModel& near : levels)
    near = near.shared_link ? across_machines(profile, costs)
                            : CostModel{scaled(costs.t_s, near.t_s, far.t_s),
                                        scaled(costs.t_w, near.t_w, far.t_w),
                                        costs.t_op,
                                        scaled(costs.t_put, near.t_put, far.t_put),
                                        costs.o,
                                        costs.nodes_per_pu,
                                        costs.turn};
  return levels;
}

Demand team_demand(Collective collective, std::size_t bytes, const Topology& topology, const Machine& machine,
                   const Mapping& mapping, const CostModel& costs) {
  Demand demand{.collective = collective, .bytes = bytes};
  Parameters& parameters = demand.parameters;
  parameters.nodes = topology.nodes();
  parameters.segments = 0;
  parameters.extents = mesh_extents(topology);
  parameters.hierarchy = machine_hierarchy(machine, mapping);
  demand.near = near_costs(guessed_profile(machine), machine, mapping.pu, parameters.hierarchy, costs);
  return demand;
}

}  // namespace vnode
