#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/profile.hpp>

#include "command_line/command.hpp"

namespace vnode {

/// Heads the options that say what messages cost.
inline constexpr const char* costs_group = "Costs";

/// The units of options: nanoseconds, and 10^9 bytes per second.
inline constexpr double nanosecond = 1e-9, giga = 1e9;

/// Says where the costs come from that are not given one by one.
enum class CostSource {
  profile,   ///< from the profile that vnode calibrate has kept
  typical,   ///< those of typical_costs
  measured,  ///< as a team of so many nodes measures them before its first call
};

/// Holds what messages are to cost, as a command is told, in seconds.
struct CostOptions {
  std::optional<double> t_s, t_w, t_op, t_put, o;  ///< --ts, --tw, --top, --tput, --overhead
  std::optional<std::string> profile{};            ///< --profile
  std::optional<std::string> latencies{};          ///< --latencies, a file
  std::optional<CostSource> source{};              ///< --costs; none: the kept profile, or typical costs
  std::optional<PairCosts> network{};              ///< --network

  /// Tells whether any cost of messages inside a machine is given.
  bool any() const { return t_s || t_w || t_op || t_put || o || profile || latencies || source; }
};

/// Reads as many numbers of nanoseconds, separated by commas, as there is room for; throws UsageError by the
/// option's name, what the numbers are and an example.
void parse_nanoseconds(const char* option, const char* names, const char* example, const std::string& text,
                       std::span<double> seconds);
/// Reads `count` numbers in the same way, and returns seconds.
template <std::size_t count>
std::array<double, count> parsed_nanoseconds(const char* option, const char* names, const char* example,
                                             const std::string& text) {
  std::array<double, count> seconds{};
  parse_nanoseconds(option, names, example, text, seconds);
  return seconds;
}

/// Adds --ts, --tw, --top, in nanoseconds, and --profile.
void add_costs(Command command, CostOptions& options);
/// Adds --costs, for commands that predict for one number of nodes; the help says what is `usual`.
void add_cost_source(Command command, CostOptions& options,
                     const std::string& usual = "the profile that is kept, or typical");
/// Adds --tput and --overhead, for commands that choose algorithms.
void add_choice_costs(Command command, CostOptions& options);

/// Adds --network.
void add_network(Command command, CostOptions& options);
/// Reads what --network is given, "15000,0.833,3000": t_s, t_w and o between machines, in nanoseconds.
PairCosts parsed_network(const std::string& text);

/// Says what messages cost, and from where that is known.
struct CostChoice {
  CostModel costs{};                        ///< of a team of so many nodes
  std::string source{};                     ///< for people: "typical", "t_s as given, the others from FILE"
  std::optional<MachineProfile> profile{};  ///< what pairs of nodes cost, unless t_s or t_w are given
  std::optional<MachineProfile> kept{};     ///< the same, whatever is given: what else it knows
  PairCosts network = typical_network();    ///< between machines: as given, or the profile's, or typical
};

/// The most nodes for which costs are measured: with more, a team measures longer than anybody waits.
inline constexpr int most_measured_nodes = 64;

/// Returns the costs that are given, and for the rest what --costs says, or the profile asked for, which has
/// to be there, or the one that `vnode calibrate` has kept, or typical costs. `nodes` are on so many
/// machines, as many on each; a profile's costs are those of the nodes of one machine, mapped compactly to
/// `on`, or to this one. Throws UsageError where more than most_measured_nodes are to be measured, no profile
/// is kept, or
/// --network is given and there is one machine, and else what choose_profile throws.
CostChoice chosen_costs(const CostOptions& options, int nodes, int machines = 1, const Machine* on = nullptr);

/// Returns "costs, typical: t_s = 150 ns, ...", for people; on several machines also the costs between them.
std::string costs_text(const CostChoice& choice, int machines = 1);
/// Returns "between machines, typical: t_s = 15 us, ...".
std::string network_text(const PairCosts& network);

/// Returns the options by which `nodes` nodes with such ports are simulated with these costs. Where a profile
/// tells what pairs of nodes cost, and every node has a PU of the machine (null: this one) to itself, each
/// pair has its own costs, with nodes mapped compactly.
SimulationOptions simulation_options(Ports ports, int nodes, const CostChoice& choice,
                                     const Machine* on = nullptr);
/// Returns the options of a simulation with node i on PU pus[i] of a machine; several nodes may share one.
SimulationOptions simulation_options(Ports ports, const CostChoice& choice, const Machine& machine,
                                     const std::vector<int>& pus);
/// Returns the options of a simulation on several machines like this one, with as many nodes on each:
/// messages between machines cost what those of the network do.
SimulationOptions simulation_options_of(Ports ports, int nodes, int machines, const CostChoice& choice);

}  // namespace vnode
