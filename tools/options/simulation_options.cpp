#include "options/simulation_options.hpp"

#include <memory>
#include <utility>

#include <vnode/placement.hpp>

namespace vnode {

SimulationOptions simulation_options(Ports ports, int nodes, const CostChoice& choice, const Machine* on) {
  SimulationOptions options{
      .costs = Hockney{choice.costs.t_s, choice.costs.t_w}, .t_op = choice.costs.t_op, .ports = ports};
  if (!choice.profile) return options;
  const auto machine = std::make_shared<const Machine>(on != nullptr ? *on : Machine::discover());
  if (std::cmp_greater(nodes, machine->allowed_pus().size())) return options;
  options.pair_costs = [machine, profile = *choice.profile, pus = compact_mapping(*machine, nodes).pu](
                           Rank from, Rank to) { return pair_costs(profile, *machine, pus, from, to); };
  return options;
}

}  // namespace vnode
