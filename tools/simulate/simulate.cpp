#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/goal.hpp>
#include <vnode/lab/textbook.hpp>

#include "commands.hpp"
#include "options/costs.hpp"
#include "options/memory.hpp"
#include "options/subject.hpp"
#include "options/values.hpp"
#include "simulate/simulate_report.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

enum class SimulateForm { table, json, csv, goal, trace };

struct SimulateOptions {
  SubjectOptions subject;
  std::size_t bytes = 1024;
  CostOptions costs;
  MemoryOptions memory;
  std::optional<LogGP> log_gp;
  std::optional<Ports> ports;
  Duplex duplex = Duplex::full;
  double hop = 0;
  Switching switching = Switching::cut_through;
  double noise = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> sweeps;
  SimulateForm written = SimulateForm::table;
};

SimulationOptions how(const SimulateOptions& options, const Subject& subject, const CostChoice& choice,
                      const std::optional<MemoryChoice>& memory) {
  SimulationOptions how =
      subject.machines > 1
          ? simulation_options_of(subject.ports(), subject.topology.nodes(), subject.machines, choice)
          : simulation_options(subject.ports(), subject.topology.nodes(), choice,
                               memory ? &memory->machine : nullptr);
  if (memory) how.memory = memory->memory;
  if (options.log_gp) {
    how.costs = *options.log_gp;
    how.pair_costs = {};
  }
  if (options.ports) how.ports = *options.ports;
  how.hop = options.hop;
  how.switching = options.switching;
  how.noise = options.noise;
  how.seed = options.seed;
  how.timeline = options.written == SimulateForm::json || options.written == SimulateForm::trace;
  return how;
}

// Adds the algorithm's time by formula and the lower bound for its collective, however many segments a
// schedule has, in seconds. The bound is by Hockney's model, for nodes that are all alike.
void add_formulas(Simulated& one, const CostModel& costs) {
  const auto bytes = static_cast<double>(one.volume.bytes);
  Parameters parameters = one.subject.parameters;
  if (const Algorithm* const algorithm = one.subject.algorithm)
    one.formula = textbook_seconds(*algorithm, parameters, bytes, costs);
  if (!one.subject.collective || one.options.pair_costs || std::holds_alternative<LogGP>(one.options.costs))
    return;
  parameters.segments = 1;
  const LowerBound bound =
      lower_bound(*one.subject.collective, parameters, one.options.ports, one.subject.topology);
  one.bound = bound.startups * costs.t_s + bound.words * costs.t_w * bytes;
}

// Returns all but the simulation itself.
Simulated prepared(const SimulateOptions& options, const SubjectOptions& wanted, std::size_t bytes) {
  Subject subject = vnode::subject(wanted);
  refuse_unread(options.log_gp && subject.machines > 1, "--loggp", "several machines have costs of pairs");
  CostChoice choice = chosen_costs(options.costs, subject.topology.nodes(), subject.machines);
  const CostChoice inside = choice;
  if (subject.machines > 1) {  // formulas and rounds know one cost: that of the network
    choice.costs.t_s = choice.network.t_s.value;
    choice.costs.t_w = choice.network.t_w.value;
  }
  // In a formula or a round a LogGP message counts as one start-up and its bytes.
  if (options.log_gp) {
    choice.costs.t_s = options.log_gp->L + 2 * options.log_gp->o;
    choice.costs.t_w = options.log_gp->G;
    choice.source = "L, o, g and G as given";
  }
  subject = with_segments(std::move(subject), wanted, bytes, choice.costs);
  Simulated one{.subject = std::move(subject),
                .volume = {},
                .options = {},
                .duplex = options.duplex,
                .costs = {choice.costs.t_s, choice.costs.t_w},
                .inside = {},
                .costs_source = choice.source,
                .formula = {},
                .bound = {},
                .memory = {},
                .condition = {},
                .steps = {},
                .simulation = {}};
  if (one.subject.machines > 1) one.inside = Hockney{inside.costs.t_s, inside.costs.t_w};
  one.volume = one.subject.volume(bytes);
  one.memory = chosen_memory(options.memory, one.subject.topology, choice);
  one.options = how(options, one.subject, inside, one.memory);
  add_formulas(one, choice.costs);
  one.steps = step_synchronous(one.subject.schedule, one.volume, one.subject.interconnect(options.duplex),
                               one.costs, choice.costs.t_op);
  if (one.memory)
    one.condition =
        bank_condition(one.subject.schedule, one.volume, {one.subject.topology, one.subject.routing},
                       one.memory->memory, one.costs);
  return one;
}

/// Says what --sweep varies: "bytes", "nodes" or "segments", with the values in the order given.
struct SweepAxis {
  std::string key;
  std::vector<std::size_t> values;
};

SweepAxis parsed_sweep(const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string key = text.substr(0, equals);
  const std::string values = text.substr(std::min(equals + 1, text.size()));
  const std::string option = fmt::format("--sweep {}", key);
  if (equals == text.size())
    throw UsageError(
        fmt::format("--sweep {}: what it takes is missing, as in bytes=8:8M or nodes=3,5,9", text));
  if (key == "bytes") return {key, parse_values(values, option, {.least = 0})};
  if (key == "nodes") return {key, parse_values(values, option, {.most = max_nodes})};
  if (key == "segments") return {key, parse_values(values, option, {.most = most_asked_segments})};
  throw UsageError(
      fmt::format("--sweep {}: expected bytes=, nodes= or segments=, as in bytes=8:8M or nodes=3,5,9", text));
}

/// Returns all combinations, a value for each axis; the last axis varies fastest.
std::vector<std::vector<std::size_t>> combinations(const std::vector<SweepAxis>& axes) {
  std::vector<std::vector<std::size_t>> all{{}};
  for (const SweepAxis& axis : axes) {
    std::vector<std::vector<std::size_t>> longer;
    for (const std::vector<std::size_t>& one : all)
      for (const std::size_t value : axis.values) {
        longer.push_back(one);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<Simulated> prepared(const SimulateOptions& options) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : options.sweeps) axes.push_back(parsed_sweep(text));
  for (const SweepAxis& axis : axes)
    if (std::ranges::count(axes, axis.key, &SweepAxis::key) > 1)
      throw UsageError(fmt::format("--sweep {} is given twice", axis.key));
  std::vector<Simulated> all;
  for (const std::vector<std::size_t>& values : combinations(axes)) {
    SubjectOptions subject = options.subject;
    std::size_t bytes = options.bytes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].key == "bytes") bytes = values[i];
      if (axes[i].key == "nodes") subject.nodes = static_cast<int>(values[i]);
      if (axes[i].key == "segments") subject.segments = static_cast<int>(values[i]);
    }
    all.push_back(prepared(options, subject, bytes));
  }
  return all;
}

void simulate_all(std::vector<Simulated>& all) {
  std::vector<SimulationCase> cases;
  for (const Simulated& one : all)
    cases.push_back({[&one] { return one.subject.schedule; }, one.volume,
                     one.subject.interconnect(one.duplex), one.options});
  Progress progress;
  std::vector<Simulation> results = simulate(cases, [&](std::size_t done) {
    progress.show(static_cast<double>(done) / static_cast<double>(cases.size()), "simulated");
  });
  for (std::size_t i = 0; i < all.size(); ++i) all[i].simulation = std::move(results[i]);
}

void simulate_as(const SimulateOptions& options) {
  const bool sweep = !options.sweeps.empty();
  if (sweep && (options.written == SimulateForm::goal || options.written == SimulateForm::trace))
    throw UsageError("--format goal and trace write one run: leave --sweep out");
  std::vector<Simulated> all = prepared(options);
  if (options.written == SimulateForm::goal) {
    const Simulated& one = all.front();
    fmt::print("{}", to_goal(one.subject.schedule, one.volume, one.options.t_op));
    return;
  }
  simulate_all(all);
  if (options.written == SimulateForm::json)
    print_json(all, sweep);
  else if (options.written == SimulateForm::csv)
    print_csv(all);
  else if (options.written == SimulateForm::trace)
    print_trace(all.front());
  else
    print_table(all);
}

/// Reads "5000,1500,2000,0.5".
LogGP parsed_log_gp(const std::string& text) {
  const auto [latency, overhead, gap, gap_per_byte] =
      parsed_nanoseconds<4>("--loggp", "L,o,g,G", "5000,1500,2000,0.5", text);
  return {latency, overhead, gap, gap_per_byte};
}

void add_model(Command command, SimulateOptions& options) {
  add_costs(command, options.costs);
  add_cost_source(command, options.costs);
  add_network(command, options.costs);
  command.group(costs_group)
      .option(
          "--loggp", [&options](const std::string& text) { options.log_gp = parsed_log_gp(text); },
          "L,o,g,G in nanoseconds, instead of --ts, --tw, --profile and --costs")
      .type_name("LIST")
      .excludes("--ts")
      .excludes("--tw")
      .excludes("--profile")
      .excludes("--costs");
  command = command.group("Model");
  command
      .decimal(
          "--hop", {.most = 1e9}, [&options](double hop) { options.hop = hop * nanosecond; },
          "more for each link of a way, in nanoseconds (default: 0)")
      .type_name("NS");
  command.choice<Ports>(
      "--ports", {{"single", Ports::single}, {"all", Ports::all}}, into(options.ports),
      "how many messages a node handles at a time (default: what the algorithm is made for; "
      "of a schedule, single if no node sends or receives two messages in a round, else all)");
  command.choice(
      "--switching",
      {{"cut-through", Switching::cut_through}, {"store-and-forward", Switching::store_and_forward}},
      options.switching, "over several links");
  command.choice("--duplex", {{"full", Duplex::full}, {"half", Duplex::half}}, options.duplex,
                 "whether a link's directions are independent");
  command
      .decimal("--noise", {.most = 1e6}, into(options.noise),
               "every message takes 1 + X * noise times as long, X exponential of mean 1 (default: 0)")
      .type_name("X");
  command
      .whole(
          "--seed", {}, [&options](int seed) { options.seed = static_cast<std::uint64_t>(seed); },
          "of the noise (default: 0)")
      .type_name("N");
}

}  // namespace

void add_simulate(const Command& program) {
  const auto options = std::make_shared<SimulateOptions>();
  const Command command = program.command(
      "simulate", "Predict the time of an algorithm: by formula, round by round, message by message");
  add_subject(command, options->subject);
  add_bytes(command, into(options->bytes));
  add_model(command, *options);
  add_memory(command, options->memory);
  command
      .list("--sweep", options->sweeps,
            "bytes=8:8M doubles, nodes=3,5,9 lists; also segments=; several make all combinations")
      .type_name("KEY=VALUES");
  command.group("Output").choice("--format",
                                 {{"table", SimulateForm::table},
                                  {"json", SimulateForm::json},
                                  {"csv", SimulateForm::csv},
                                  {"goal", SimulateForm::goal},
                                  {"trace", SimulateForm::trace}},
                                 options->written,
                                 "what to write; goal is for LogGOPSim, trace for Perfetto");
  command.examples(
      {{"vnode simulate broadcast_mesh --topology mesh:4x4", "how long it takes, and what holds it up"},
       {"vnode simulate all_to_all_pairwise --topology torus:4x4 --sweep bytes=1K:1M", "over sizes"}});
  command.run([options] { simulate_as(*options); });
}

}  // namespace vnode
