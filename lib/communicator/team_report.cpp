#include "communicator/team_report.hpp"

#include <chrono>
#include <fmt/format.h>
#include <utility>

#include "base/counted.hpp"
#include "communicator/memory_report.hpp"
#include "communicator/team_mapping.hpp"
#include "communicator/wait_policy.hpp"

namespace vnode {

std::string team_report(ReportedTeam team) {
  const TeamOptions& options = team.settings.options;
  const int size = team.topology.nodes();
  std::string text = fmt::format("nodes: {} as {}\n", size, team.topology.text());
  text += fmt::format("machine: {}{}{}\n", team.machine.source, team.machine.model.empty() ? "" : ", ",
                      team.machine.model);
  text +=
      fmt::format("cores: {} used of {} allowed, {} to each node\n", team.mapping.cores_used,
                  team.machine.allowed_cores(), team.mapping.own_core ? "one of its own" : "less than one");
  text += fmt::format("mapping: {}\n", mapping_text(team.machine, size, options));
  text += team.live.report();
  if (!options.pin)
    text += "pinning: off\n";
  else if (!team.machine.this_system)
    text += "pinning: none, since the machine is described by a file or a text and is not this one\n";
  else if (const std::string failure = team.pins.failure(); !failure.empty())
    text += fmt::format("pinning: failed, {}\n", failure);
  else
    text += fmt::format("pinning: each node to one PU{}\n",
                        options.keep_caller_pinned ? ", the caller of run() between runs too" : "");
  if (team.arenas != nullptr) text += fmt::format("arenas: {}\n", team.arenas->report(team.machine));
  if (team.port_banks)
    text += fmt::format("banks: {}{}\n", name(team.port_banks->policy()),
                        options.strict_banks ? ", strictly" : "");
  else if (options.banks)
    text += fmt::format("banks: {} asked for, but {}\n", name(*options.banks), near_no_bank);
  text += fmt::format("waiting: {}\n", describe(team.policy));
  text += fmt::format("channels: {}, {} lines each, {} bytes in use\n",
                      options.channel == ChannelEngine::boost ? "boost" : "line", team.fabric.capacity(),
                      team.fabric.channel_bytes());
  text +=
      team.costs != nullptr
          ? fmt::format(
                "costs: {:.0f} ns to start a message, per byte {:.3f} ns to take in, {:.3f} "
                "to combine, {:.3f} to write\n",
                team.costs->t_s * 1e9, team.costs->t_w * 1e9, team.costs->t_op * 1e9, team.costs->t_put * 1e9)
          : std::string("costs: not measured before the first run\n");
  text += fmt::format("scratch: {}\n", counted(team.scratch_bytes, "byte"));
  if (options.checked) text += "checked: signatures are compared before every call\n";
  if (options.time_limit.count() > 0)
    text += fmt::format("time limit: {} ms\n",
                        std::chrono::duration_cast<std::chrono::milliseconds>(options.time_limit).count());
  if (!options.algorithms.empty()) text += fmt::format("algorithms: {}\n", options.algorithms);
  for (const std::string& variable : team.settings.overrides)
    text += fmt::format("from the environment: {}\n", variable);
  std::vector<NodePlace> nodes;
  for (Rank rank = 0; rank < size; ++rank) {
    const auto at = static_cast<std::size_t>(team.mapping.pu[static_cast<std::size_t>(rank)]);
    nodes.push_back({rank,
                     team.pins.pu(rank),
                     team.pins.pu_got(rank),
                     team.pins.pinning() ? team.machine.pus[at].numa : -1,
                     team.port_banks ? team.port_banks->home(rank) : -1,
                     {}});
  }
  for (OwnedMemory& one : team.memory)
    nodes[static_cast<std::size_t>(one.owner)].memory.push_back(std::move(one));
  return text + placement_table(team.machine, nodes);
}

}  // namespace vnode
