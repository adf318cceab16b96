#include "options/simulation_options.hpp"

#include <memory>
#include <utility>

#include <vnode/lab/placement.hpp>

namespace vnode {

SimulationOptions simulation_options(Ports ports, const CostChoice& choice, const Machine& machine,
                                     const std::vector<int>& pus) {
  SimulationOptions options{
      .costs = Hockney{choice.costs.t_s, choice.costs.t_w}, .t_op = choice.costs.t_op, .ports = ports};
  if (choice.profile)
    options.pair_costs = [kept = std::make_shared<const Machine>(machine), profile = *choice.profile, pus](
                             Rank from, Rank to) { return pair_costs(profile, *kept, pus, from, to); };
  return options;
}

SimulationOptions simulation_options(Ports ports, int nodes, const CostChoice& choice, const Machine* on) {
  if (choice.profile) {
    const Machine machine = on != nullptr ? *on : Machine::discover();
    if (std::cmp_less_equal(nodes, machine.allowed_pus().size()))
      return simulation_options(ports, choice, machine, compact_mapping(machine, nodes).pu);
  }
  CostChoice without = choice;
  without.profile.reset();
  return simulation_options(ports, without, Machine(), {});
}

}  // namespace vnode
