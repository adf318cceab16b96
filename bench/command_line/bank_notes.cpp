#include "command_line/bank_notes.hpp"

#include <fmt/format.h>

#include <vnode/lab/bank_condition.hpp>
#include <vnode/lab/port_banks.hpp>
#include <vnode/lab/select.hpp>

#include "machine/bank_text.hpp"
#include "report/with_bytes.hpp"

namespace vnode::bench {
namespace {

std::string note(const Team& team, const Algorithm& algorithm, const Parameters& parameters,
                 std::size_t bytes, double t_w, std::optional<double> bandwidth) {
  const PortBanks banks = *team.port_banks();
  const Schedule schedule = algorithm.build(parameters);
  const int blocks = contract(algorithm.collective, parameters, schedule.blocks()).message_blocks;
  const MemoryBanks memory =
      banks.memory(std::vector<double>(static_cast<std::size_t>(banks.count()), bandwidth.value_or(1 / t_w)));
  const BankCondition condition =
      bank_condition(schedule, {bytes, blocks}, team.topology(), memory, {0, t_w});
  const BankLoad load = condition.tightest();
  std::string text = fmt::format("banks {}: {}", name(banks.policy()), with_bytes(algorithm.name, bytes));
  if (load.bank < 0) return text + " sends nothing";
  text += fmt::format(
      ": up to {:g} streams of bank {} in a round (S_b) need {:.3g} GB/s at {:.3g} ns per byte", load.streams,
      bank_text(Machine::discover(), load.bank), load.streams / t_w * 1e-9, t_w * 1e9);
  if (!bandwidth) return text;
  return text + fmt::format(", {:g} GB/s feed {:.3g} (W_b t_w): {}", *bandwidth * 1e-9, *bandwidth * t_w,
                            condition.holds()
                                ? std::string("memory is no limit")
                                : fmt::format("t_w is {:.3g} times as long there", load.factor));
}

}  // namespace

std::vector<std::string> bank_notes(Team& team, Collective collective, const Setting& setting,
                                    std::optional<double> bandwidth) {
  if (!team.port_banks()) return {"banks: nodes are not pinned, so their buffers lie on no banks"};
  const CostModel& costs = team.costs();
  std::vector<std::string> notes;
  for (const std::string& asked : setting.algorithms) {
    Demand demand{.collective = collective,
                  .parameters = {.nodes = team.size(),
                                 .root = setting.root,
                                 .extents = mesh_extents(team.topology()),
                                 .shift = setting.shift,
                                 .segments = 0},
                  .bytes = setting.bytes,
                  .algorithm = asked};
    const Candidate chosen = choose(demand, team.topology(), costs);
    demand.parameters.segments = chosen.segments;
    notes.push_back(note(team, *chosen.algorithm, demand.parameters, setting.bytes, costs.t_w, bandwidth));
  }
  return notes;
}

}  // namespace vnode::bench
