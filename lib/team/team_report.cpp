#include "team/team_report.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <vnode/model/memory_banks.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "machine/bank_text.hpp"
#include "select/lengths_text.hpp"
#include "settings/team_mapping.hpp"
#include "team/team_state.hpp"

namespace vnode {
namespace {

std::string number(int value) { return value < 0 ? "-" : fmt::to_string(value); }

std::string banks_asked(const Machine& machine, const std::vector<OwnedMemory>& memory) {
  std::set<int> banks;
  for (const OwnedMemory& one : memory) banks.insert(one.bank);
  std::vector<std::string> names;
  for (const int bank : banks)
    names.push_back(bank == any_bank ? "any" : bank == every_bank ? "all" : bank_text(machine, bank));
  return fmt::to_string(fmt::join(names, ","));
}

/// Returns a line on a thread that makes a team and is bound to fewer PUs than the team may use, if it is.
std::string bound_maker(const Machine& machine, const std::vector<int>& maker) {
  std::vector<int> allowed;
  for (const int pu : machine.allowed_pus()) allowed.push_back(at(machine.pus, pu).os_index);
  std::ranges::sort(allowed);
  if (!machine.this_system || std::ranges::includes(maker, allowed)) return {};
  return fmt::format(
      "affinity: the thread that made the team is bound to PU{} {}, the team uses what the process may: PUs "
      "{}\n",
      maker.size() == 1 ? "" : "s", number_ranges(maker), number_ranges(allowed));
}

/// Returns the lines on the network, with the costs as `vnode calibrate` takes them if they are measured.
std::string network_lines(const PairCosts& network) {
  constexpr double nanoseconds = 1e9;
  const double t_s = network.t_s.value * nanoseconds, t_w = network.t_w.value * nanoseconds,
               o = network.o.value * nanoseconds;
  const std::string text = fmt::format(
      "network: {:.1f} us to start a message, {:.1f} of them work at either end, per byte {:.3f} ns; {}\n",
      t_s / 1000, o / 1000, t_w, enums::name(network.t_s.origin));
  if (network.t_s.origin != Origin::measured) return text;
  return text +
         fmt::format("kept in a profile by vnode calibrate --network {:.0f},{:.4f},{:.0f}\n", t_s, t_w, o);
}

}

std::string placement_table(const Machine& machine, const std::vector<NodePlace>& nodes) {
  std::string table = fmt::format("{:>6} {:>6} {:>6} {:>6} {:>6}  {:<10} {}\n", "node", "PU", "got", "NUMA",
                                  "home", "banks", "pages");
  std::vector<std::string> refused;
  std::size_t elsewhere = 0;
  for (const NodePlace& node : nodes) {
    PageAudit pages;
    std::size_t misplaced = 0;
    for (const OwnedMemory& one : node.memory) {
      pages += one.pages;
      misplaced += one.elsewhere();
      for (const std::string& sentence : one.degraded)
        if (std::ranges::find(refused, sentence) == refused.end()) refused.push_back(sentence);
    }
    elsewhere += misplaced;
    table += fmt::format("{:>6} {:>6} {:>6} {:>6} {:>6}  {:<10} {}{}\n", node.node, number(node.pu_asked),
                         number(node.pu_got), bank_text(machine, node.numa), bank_text(machine, node.home),
                         banks_asked(machine, node.memory), text(pages, machine),
                         misplaced > 0 ? fmt::format("; {} not as asked", misplaced) : "");
  }
  for (const std::string& sentence : refused) table += fmt::format("degraded: {}\n", sentence);
  if (elsewhere > 0 && refused.empty())
    table +=
        fmt::format("degraded: {} pages lie on other banks than asked, as where these are full\n", elsewhere);
  return table;
}

std::string Team::report() const {
  const State& team = existing();
  team.life->check_between_runs("report()");
  const TeamOptions& options = team.settings.options;
  const std::optional<ClusterLayout>& outside = team.outside;
  const CostModel* const costs = team.costs.known();
  std::string text = fmt::format(
      "nodes: {} as {}{}\n", size(), team.topology.text(),
      team.carriers ? fmt::format(", fibers on {}", counted(team.carriers->count(), "thread")) : "");
  text += fmt::format("machine: {}{}{}\n", team.machine.source, team.machine.model.empty() ? "" : ", ",
                      team.machine.model);
  text +=
      fmt::format("cores: {} used of {} allowed, {} to each node\n", team.mapping.cores_used,
                  team.machine.allowed_cores(), team.mapping.own_core ? "one of its own" : "less than one");
  if (team.machine.cpu_quota && *team.machine.cpu_quota < team.machine.allowed_cores())
    text += fmt::format("CPU quota: {:.1f} of {} (cgroup)\n", *team.machine.cpu_quota,
                        counted(team.machine.allowed_cores(), "core"));
  text += bound_maker(team.machine, team.maker);
  text += fmt::format("mapping: {}\n", team.mapping != team.usual
                                           ? "by what the threads that joined last are bound to"
                                           : mapping_text(team.machine, size(), options));
  text += team.live.report();
  if (options.threads == Threads::callers) text += "threads: the program's, which join\n";
  if (!*options.pin)
    text += "pinning: off\n";
  else if (!team.machine.this_system)
    text += "pinning: none, since the machine is described by a file or a text and is not this one\n";
  else if (const std::string failure = team.pins.failure(); !failure.empty())
    text += fmt::format("pinning: failed, {}\n", failure);
  else
    text += fmt::format("pinning: each node to one PU{}\n",
                        options.keep_caller_pinned ? ", the caller of run() between runs too" : "");
  if (team.arenas) text += fmt::format("arenas: {}\n", team.arenas->report(team.machine));
  if (team.port_banks)
    text += fmt::format("banks: {}{}\n", enums::name(team.port_banks->policy()),
                        options.strict_banks ? ", strictly" : "");
  else if (options.banks)
    text += fmt::format("banks: {} asked for, but nodes that are not pinned are near no bank\n",
                        enums::name(*options.banks));
  text += fmt::format("waiting: {}\n", describe(team.policy));
  text += fmt::format("channels: {}, {} lines each, {} bytes in use\n",
                      options.channel == ChannelEngine::boost ? "boost" : "line", team.fabric.capacity(),
                      team.fabric.channel_bytes());
  const auto origin = [&] {
    if (options.costs) return "given";
    if (!are_typical(*costs)) return "measured";
    return team.mapping.own_core && !outside && size() > 1 ? "typical, since measuring took too long"
                                                           : "typical";
  };
  text += costs != nullptr
              ? fmt::format(
                    "costs, {}: {:.0f} ns to start a message, per byte {:.3f} ns to take in, {:.3f} "
                    "to combine, {:.3f} to write; {}\n",
                    origin(), costs->t_s * 1e9, costs->t_w * 1e9, costs->t_op * 1e9, costs->t_put * 1e9,
                    lengths_text(*costs))
              : std::string("costs: not measured before a choice needs them\n");
  const ProfileChoice* const profile = team.costs.known_profile();
  text += fmt::format("profile: {}\n", profile == nullptr ? "not read before a choice needs it"
                                       : profile->profile
                                           ? fmt::format("{}, with {} of tuned times", profile->source,
                                                         counted(profile->profile->tuned.size(), "point"))
                                           : profile->source);
  if (outside && outside->machines().machines() > 1) text += network_lines(outside->network());
  text += fmt::format("scratch: {}\n", counted(scratch_bytes(), "byte"));
  if (options.checked) text += "checked: signatures are compared before every call\n";
  if (!options.deadlocks) text += "deadlocks: not looked for\n";
  if (options.time_limit.count() > 0)
    text += fmt::format("time limit: {} ms\n",
                        std::chrono::duration_cast<std::chrono::milliseconds>(options.time_limit).count());
  if (!options.algorithms.empty()) text += fmt::format("algorithms: {}\n", options.algorithms);
  for (const std::string& variable : team.settings.overrides)
    text += fmt::format("from the environment: {}\n", variable);
  for (const std::string& variable : team.settings.not_read)
    text += fmt::format("in the environment: {}\n", variable);
  std::vector<NodePlace> nodes;
  for (Rank rank = 0; rank < size(); ++rank) {
    NodePlace& place = nodes.emplace_back();
    place.node = rank;
    // Where nodes of other processes are is not known here, but for the memory that they have here.
    if (rank < team.first_here() || rank >= team.first_here() + team.nodes_here()) continue;
    place.pu_asked = team.pins.pu(rank);
    place.pu_got = team.pins.pu_got(team.carriers ? team.carriers->carrier_of(rank).lowest() : rank);
    if (team.pins.pinning()) place.numa = team.pu_of(rank).numa;
    if (team.port_banks) place.home = team.port_banks->home(rank);
  }
  for (OwnedMemory& one : memory()) at(nodes, one.owner).memory.push_back(std::move(one));
  return text + placement_table(team.machine, nodes);
}

}  // namespace vnode
