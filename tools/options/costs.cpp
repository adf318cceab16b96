#include "options/costs.hpp"

#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/select.hpp>
#include <vnode/team.hpp>

#include "base/counted.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"
#include "options/place.hpp"
#include "options/values.hpp"
#include "select/lengths_text.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

void add_nanoseconds(Command command, const std::string& option, std::optional<double>& value,
                     const std::string& description) {
  constexpr double second = 1e9;
  command.group(costs_group)
      .decimal(
          option, {.most = second}, [&value](double number) { value = number * nanosecond; }, description)
      .type_name("NS");
}

}  // namespace

void add_costs(Command command, CostOptions& options) {
  add_nanoseconds(command, "--ts", options.t_s,
                  "t_s, nanoseconds to start a message (default: the profile's, or 150)");
  add_nanoseconds(command, "--tw", options.t_w,
                  "t_w, nanoseconds to take in a byte (default: the profile's, or 0.1)");
  add_nanoseconds(command, "--top", options.t_op,
                  "t_op, nanoseconds to combine a byte (default: the profile's, or 0.03)");
  add_profile(command.group(costs_group), options.profile);
}

void parse_nanoseconds(const char* option, const char* names, const char* example, const std::string& text,
                       std::span<double> seconds) {
  constexpr double second = 1e9;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (double& value : seconds) {
    const auto [next, error] = std::from_chars(at, end, value);
    const bool last = &value == &seconds.back();
    if (error != std::errc{} || !(value >= 0 && value <= second) || (next == end) != last ||
        (!last && *next != ','))
      refuse_value(option, fmt::format("expected {}, each 0 to {:g} nanoseconds, such as {}, not \"{}\"",
                                       names, second, example, text));
    value *= nanosecond;
    at = last ? next : next + 1;
  }
}

PairCosts parsed_network(const std::string& text) {
  const auto [t_s, t_w, o] = parsed_nanoseconds<3>("--network", "t_s,t_w,o", "15000,0.833,3000", text);
  return network(t_s, t_w, o, Origin::given);
}

void add_network(Command command, CostOptions& options) {
  command.group(costs_group)
      .option(
          "--network", [&options](const std::string& text) { options.network = parsed_network(text); },
          "t_s,t_w,o between machines, in nanoseconds (default: the profile's, or 15000,0.833,3000)")
      .type_name("LIST");
}

void add_choice_costs(Command command, CostOptions& options) {
  add_nanoseconds(command, "--tput", options.t_put,
                  "t_put, nanoseconds to write a byte to another node (default: the profile's, or 0.03)");
  add_nanoseconds(
      command, "--overhead", options.o,
      "o, nanoseconds of work for a message more in a round, where nodes show them (default: the profile's, "
      "or 40)");
}

void add_cost_source(Command command, CostOptions& options, const std::string& usual) {
  const std::string description = fmt::format(
      "what predictions rest on: the profile that vnode calibrate has kept, typical costs, or what a team of "
      "so many "
      "nodes measures here and now (default: {})",
      usual);
  command.group(costs_group)
      .choice<CostSource>("--costs",
                          {{"profile", CostSource::profile},
                           {"typical", CostSource::typical},
                           {"measured", CostSource::measured}},
                          into(options.source), description)
      .excludes("--profile");
}

namespace {

/// Returns the costs that are given, or those of the profile that is asked for or kept, whatever tells the
/// costs inside a machine, or typical ones.
PairCosts network_costs(const CostOptions& options, const std::optional<MachineProfile>& profile) {
  if (options.network) return *options.network;
  if (profile) return profile->costs(PairClass::across_machines);
  if (options.source == CostSource::typical) return typical_network();
  const ProfileChoice kept = choose_profile(options.profile, Machine::discover());
  return kept.profile ? kept.profile->costs(PairClass::across_machines) : typical_network();
}

}  // namespace

CostChoice chosen_costs(const CostOptions& options, int nodes, int machines, const Machine* on) {
  refuse_unread(options.network && machines == 1, "--network", "there is one machine: give --machines M");
  nodes /= machines;
  const bool all = options.t_s && options.t_w && options.t_op && options.t_put;
  if (options.source == CostSource::measured && nodes > most_measured_nodes)
    throw UsageError(
        fmt::format("--costs measured: a team of {} nodes takes long to measure, {} at most are; typical "
                    "or profile would be right",
                    nodes, most_measured_nodes));
  const bool no_profile =
      (all || options.source) && !options.profile && options.source != CostSource::profile;
  const Machine machine = on != nullptr ? *on : Machine::discover();
  ProfileChoice kept = no_profile ? ProfileChoice{{}, "typical"} : choose_profile(options.profile, machine);
  if (options.source == CostSource::profile && !kept.profile)
    throw UsageError("--costs profile: there is none: vnode calibrate makes one");
  if (options.latencies)
    kept = {with_latencies(kept.profile ? *kept.profile : typical_profile(machine), machine,
                           latencies_from_csv(read_file(*options.latencies))),
            fmt::format("by the latencies of {}, for the rest {}", *options.latencies, kept.source)};
  CostChoice choice{.costs = typical_costs, .source = kept.source};
  if (options.source == CostSource::measured && !all) {
    const Notice notice("measuring");
    choice.costs = nodes > 1 ? Team(nodes).costs() : typical_costs;
    choice.source = choice.costs.nodes_per_pu > 1 ? "typical, as of a team whose nodes share cores"
                    : are_typical(choice.costs) && nodes > 1
                        ? "typical, since measuring took too long, as on a busy machine"
                        : fmt::format("measured here by a team of {}", counted(nodes, "node"));
  }
  if (kept.profile) {
    choice.costs = cost_model(*kept.profile, machine, compact_mapping(machine, nodes).pu);
    if (kept.profile->machine != profile_machine(machine))
      choice.source += fmt::format(", of another machine: {}", kept.profile->machine);
  }
  std::vector<std::string_view> given;
  const auto take = [&](const std::optional<double>& value, double& cost, std::string_view name) {
    if (!value) return;
    cost = *value;
    given.push_back(name);
  };
  take(options.t_s, choice.costs.t_s, "t_s");
  take(options.t_w, choice.costs.t_w, "t_w");
  take(options.t_op, choice.costs.t_op, "t_op");
  take(options.t_put, choice.costs.t_put, "t_put");
  take(options.o, choice.costs.o, "o");
  if (!options.t_s && !options.t_w) choice.profile = kept.profile;
  if (machines > 1) choice.network = network_costs(options, kept.profile);
  choice.kept = std::move(kept.profile);
  if (!given.empty())
    choice.source =
        all ? "as given" : fmt::format("{} as given, the others {}", fmt::join(given, ", "), choice.source);
  return choice;
}

std::string network_text(const PairCosts& network) {
  return fmt::format("between machines, {}: t_s = {:.4g} us, o = {:.4g} us, t_w = {:.4f} ns per byte",
                     enums::name(network.t_s.origin), network.t_s.value * 1e6, network.o.value * 1e6,
                     network.t_w.value * 1e9);
}

std::string costs_text(const CostChoice& choice, int machines) {
  const CostModel& costs = choice.costs;
  std::string text = fmt::format(
      "costs, {}: t_s = {:.0f} ns, o = {:.0f} ns, t_w = {:.4f} ns per byte, t_op = {:.4f} ns per byte, t_put "
      "= "
      "{:.4f} ns per byte; messages are {}",
      choice.source, costs.t_s * 1e9, costs.o * 1e9, costs.t_w * 1e9, costs.t_op * 1e9, costs.t_put * 1e9,
      lengths_text(costs));
  if (costs.nodes_per_pu > 1) text += fmt::format("; {:.4g} nodes take turns on a PU", costs.nodes_per_pu);
  if (machines > 1) text += "; " + network_text(choice.network);
  return text;
}

SimulationOptions simulation_options(Ports ports, const CostChoice& choice, const Machine& machine,
                                     const std::vector<int>& pus) {
  SimulationOptions options{
      .costs = Hockney{choice.costs.t_s, choice.costs.t_w}, .t_op = choice.costs.t_op, .ports = ports};
  if (choice.profile) options.pair_costs = pair_costs(*choice.profile, machine, pus);
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

SimulationOptions simulation_options_of(Ports ports, int nodes, int machines, const CostChoice& choice) {
  const int each = nodes / machines;
  SimulationOptions options = simulation_options(ports, each, choice);
  if (machines == 1) return options;
  const Hockney inside = std::get<Hockney>(options.costs), network = choice.network.hockney();
  options.costs = network;
  options.pair_costs = [=, near = std::move(options.pair_costs)](Rank from, Rank to) {
    if (from / each != to / each) return network;
    return near ? near(from % each, to % each) : inside;
  };
  return options;
}

}  // namespace vnode
