#include "options/machines.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine_hierarchy.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"

namespace vnode {

void add_machines(Command command, PlaceOptions& options) {
  command.group(variants_group)
      .whole("--machines", {.least = 1, .most = max_nodes}, into(options.machines),
             "machines like this one, with as many consecutive ranks of the nodes on each (default: 1)")
      .type_name("M");
}

int machines_of(const PlaceOptions& options, int nodes) {
  const int machines = options.machines.value_or(1);
  const int below = nodes / machines * machines;
  if (below == nodes) return machines;
  throw UsageError(fmt::format("--machines {}: {} are not as many on each; {}{} would be right", machines,
                               counted(nodes, "node"), below > 0 ? fmt::format("{} or ", below) : "",
                               below + machines));
}

std::string nodes_text(int nodes, int machines) {
  return machines == 1 ? counted(nodes, "node")
                       : fmt::format("{} on {} machines", counted(nodes, "node"), machines);
}

PlacedNodes placed_nodes(int nodes, int machines, Machine machine) {
  Mapping mapping = compact_mapping(machine, nodes / machines);
  if (machines == 1) return {std::move(machine), std::move(mapping)};
  std::vector<ProcessNodes> processes;
  for (int i = 0; i < machines; ++i) processes.push_back({i, mapping});
  const std::vector<Machine> all(static_cast<std::size_t>(machines), machine);
  return {joined(all), joined(all, processes)};
}

Hierarchy hierarchy_of_machines(int nodes, int machines) {
  const int each = nodes / machines;
  if (machines == 1 || each == 1) return {};
  const Machine machine = Machine::discover();
  const Hierarchy inside = machine_hierarchy(machine, compact_mapping(machine, each));
  std::vector<Hierarchy::Domains> domains(static_cast<std::size_t>(inside.levels()) + 1);
  for (int first = 0; first < nodes; first += each) {
    std::vector<Rank>& whole = domains[0].emplace_back();
    for (Rank rank = first; rank < first + each; ++rank) whole.push_back(rank);
    for (int level = 0; level < inside.levels(); ++level)
      for (std::vector<Rank> domain : inside.domains(level)) {
        for (Rank& rank : domain) rank += first;
        domains[static_cast<std::size_t>(level) + 1].push_back(std::move(domain));
      }
  }
  return Hierarchy(std::move(domains));
}

CostModel take_machines(Demand& demand, const CostChoice& costs, int machines) {
  const auto [machine, mapping] = placed_nodes(demand.parameters.nodes, machines);
  Hierarchy& hierarchy = demand.parameters.hierarchy;
  if (!hierarchy) hierarchy = machine_hierarchy(machine, mapping);
  MachineProfile profile = costs.profile ? *costs.profile : guessed_profile(machine);
  at(profile.pairs, PairClass::across_machines) = costs.network;
  demand.near = near_costs(profile, machine, mapping.pu, hierarchy, costs.costs);
  return farthest_costs(profile, machine, mapping.pu, costs.costs);
}

}  // namespace vnode
