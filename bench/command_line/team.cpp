#include "command_line/team.hpp"

#include <algorithm>

#include <vnode/lab/machine_domains.hpp>
#include <vnode/lab/schedule.hpp>

namespace vnode::bench {

int nodes_of(const Options& options, const Machine& machine) {
  if (options.nodes) return *options.nodes;
  if (options.own != nullptr) return options.own->schedule().nodes();
  if (const auto nodes = Shape::parse(options.topology).nodes()) return *nodes;
  const int most = options.arenas ? static_cast<int>(allowed_domains(machine, *options.arenas).size())
                                  : machine.allowed_cores();
  return std::max(2, std::min(most, 64));
}

std::unique_ptr<Team> team_of(const Options& options, int nodes) {
  TeamOptions team = options.team_options();
  team.deterministic = false;
  team.mapping.clear();
  team.banks.reset();
  team.arenas.reset();
  return std::make_unique<Team>(nodes, full{}, team);
}

std::unique_ptr<Team> team_for(const Options& options, int nodes) {
  return std::make_unique<Team>(nodes, Shape::parse(options.topology), options.team_options());
}

}  // namespace vnode::bench
