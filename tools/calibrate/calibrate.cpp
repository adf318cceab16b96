#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>
#include <vnode/model/latencies.hpp>
#include <vnode/model/profile.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "calibrate/latency_measurement.hpp"
#include "calibrate/pair_measurement.hpp"
#include "commands.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"
#include "measure/bandwidth.hpp"
#include "options/costs.hpp"
#include "options/place.hpp"
#include "options/written.hpp"
#include "terminal/progress.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"
#include "timing/other_programs.hpp"

namespace vnode {
namespace {

struct Column {
  std::string_view title;
  Quantity PairCosts::*quantity;
  int decimals;
  double unit = 1e9;  ///< what the table counts in: nanoseconds
};
constexpr std::array<Column, 10> cost_columns{{{"t_s", &PairCosts::t_s, 1},
                                               {"t_w", &PairCosts::t_w, 4},
                                               {"L", &PairCosts::L, 1},
                                               {"o", &PairCosts::o, 1},
                                               {"g", &PairCosts::g, 1},
                                               {"G", &PairCosts::G, 4},
                                               {"t_op", &PairCosts::t_op, 4},
                                               {"t_put", &PairCosts::t_put, 4},
                                               {"eager", &PairCosts::eager_to, 0, 1},
                                               {"shared", &PairCosts::shared_from, 0, 1}}};

std::string_view mark(Origin origin) {
  switch (origin) {
    case Origin::given:
      return "g";
    case Origin::typical:
      return "t";
    case Origin::distances:
      return "d";
    case Origin::latencies:
      return "l";
    case Origin::measured:
      break;
  }
  return " ";
}

/// Writes quantities, and holds the origins that were seen.
struct Writer {
  std::set<Origin> origins{};

  std::string cell(const Quantity& quantity, const Column& column) {
    origins.insert(quantity.origin);
    return fmt::format("{:.{}f}{}", quantity.value * column.unit, column.decimals, mark(quantity.origin));
  }
  std::string bandwidth(const std::optional<Quantity>& quantity) {
    if (!quantity) return "unknown";
    origins.insert(quantity->origin);
    std::string text = fmt::format("{:.2f} GB/s", quantity->value * 1e-9);
    if (quantity->origin != Origin::measured) text += fmt::format(" {}", mark(quantity->origin));
    return text;
  }
};

/// Returns the profile for a person: a row for each class of pairs, in nanoseconds, the banks and links, and
/// which values were not measured.
std::string profile_table(const MachineProfile& profile) {
  Writer writer;
  std::string text = fmt::format("profile  {}\nmachine  {}\nmade     {}\n", profile.name, profile.machine,
                                 profile.when.empty() ? "at an unknown time" : profile.when);
  if (!profile.tuned.empty())
    text +=
        fmt::format("tuned    {} of operation, nodes and bytes\n", counted(profile.tuned.size(), "point"));
  if (!profile.remark.empty()) text += fmt::format("remark   {}\n", profile.remark);
  std::vector<std::vector<std::string>> rows{{"nanoseconds"}};
  for (const Column& column : cost_columns) rows.front().push_back(fmt::format("{} ", column.title));
  for (const PairClass one : pair_classes()) {
    const auto& costs = profile.pairs[static_cast<std::size_t>(one)];
    if (!costs) continue;
    rows.push_back({std::string(enums::name(one))});
    for (const Column& column : cost_columns)
      rows.back().push_back(writer.cell((*costs).*column.quantity, column));
  }
  text += '\n' + table(rows, 1, terminal_width());
  text += "(t_s, L, o, g: a message; t_w, G, t_op, t_put: a byte)\n\n";
  for (std::size_t i = 0; i < profile.banks.size(); ++i) {
    text += fmt::format("bank of NUMA node {}: {}\n", i, writer.bandwidth(profile.banks[i]));
    if (profile.links.empty()) continue;
    for (std::size_t j = 0; j < profile.banks.size(); ++j)
      if (j != i)
        text += fmt::format("  read from NUMA node {}: {}\n", j, writer.bandwidth(profile.links[j][i]));
  }
  for (const Origin origin : writer.origins)
    if (origin != Origin::measured) text += fmt::format("{}: {}\n", mark(origin), enums::name(origin));
  return text;
}

struct CalibrateOptions {
  enum class Form { text, json, csv, svg };
  std::optional<std::string> machine, profile, output, latencies;
  std::optional<PairCosts> network;
  std::string name = "profile";
  bool quick = false, pairs = false;
  Form format = Form::text;
};

/// Returns the matrix as a heat map, by the system's numbers of PUs.
MatrixChart chart_of(const Latencies& latencies, const std::string& machine) {
  MatrixChart chart{.title = "Way of a cache line between PUs, one way", .note = machine, .unit = "ns"};
  MatrixChart::Panel& panel = chart.panels.emplace_back();
  for (int a = 0; a < latencies.pus(); ++a) {
    chart.labels.push_back(std::to_string(a));
    std::vector<double>& row = panel.values.emplace_back();
    for (int b = 0; b < latencies.pus(); ++b) row.push_back(latencies.between(a, b) * 1e9);
  }
  return chart;
}

/// Returns how far the progress bar is after the pairs: a pair takes about as long as a bank.
double share_of_pairs(const Machine& machine, bool quick) {
  const auto pairs = static_cast<double>(class_examples(machine).size());
  const auto banks = quick ? 0 : static_cast<double>(machine.numas.size());
  return pairs + banks > 0 ? pairs / (pairs + banks) : 0;
}

void measure_pairs(MachineProfile& profile, const Machine& machine, bool quick, Progress& progress) {
  constexpr int rounds = 51, few_rounds = 11;
  const std::vector<ClassExample> examples =
      profile.latencies ? median_examples(machine, *profile.latencies) : class_examples(machine);
  const double whole = share_of_pairs(machine, quick);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const ClassExample& pair = examples[i];
    const auto measured = [&](double share) {
      progress.show(whole * (static_cast<double>(i) + share) / static_cast<double>(examples.size()),
                    fmt::format("{}: PUs {} and {}", enums::name(pair.pair_class), pair.a, pair.b));
    };
    profile.pairs[static_cast<std::size_t>(pair.pair_class)] =
        measured_pair(machine, pair, quick ? few_rounds : rounds, measured);
  }
}

void measure_banks(MachineProfile& profile, const Machine& machine, Progress& progress) {
  const std::size_t count = machine.numas.size();
  const double before = share_of_pairs(machine, false);
  const auto speed = [](double value) { return Quantity{value, Origin::measured}; };
  profile.links.assign(count, std::vector<std::optional<Quantity>>(count));
  for (std::size_t bank = 0; bank < count; ++bank) {
    progress.show(before + (1 - before) * static_cast<double>(bank) / static_cast<double>(count),
                  fmt::format("bank of NUMA node {}", bank));
    const auto speeds = measured_bank(machine, static_cast<int>(bank));
    for (std::size_t from = 0; from < count; ++from)
      if (speeds[from])
        (from == bank ? profile.banks[bank] : profile.links[from][bank]) = speed(*speeds[from]);
  }
}

/// Returns what a person should know about the measurement.
std::string remarks(const Machine& machine, const MachineProfile& profile, bool quick) {
  const std::vector<ClassExample> examples = class_examples(machine);
  std::string text;
  if (examples.empty())
    text +=
        "the process may use one PU only: there is no pair to measure, and the costs of pairs are typical\n";
  if (examples.size() == 1)
    text += fmt::format("all pairs of PUs that the process may use are of one class, {}\n",
                        enums::name(examples.front().pair_class));
  if (quick) return text + "a quick look: few rounds, and the banks were not read\n";
  for (std::size_t numa = 0; numa < machine.numas.size(); ++numa) {
    if (!profile.banks[numa]) continue;
    const StreamedMemory memory = measured_memory(machine, static_cast<int>(numa));
    text += fmt::format("the bank of NUMA node {} was read in {} MiB{}\n", numa, memory.bytes >> 20,
                        memory.beyond_caches ? "" : ", a quarter of it, which is less than twice the caches");
  }
  return text;
}

/// Measures the profile, and first the latencies of all pairs if they are asked for.
MachineProfile measured(bool quick, bool pairs) {
  const Machine machine = Machine::discover();
  if (!machine.this_system)
    throw UsageError(
        fmt::format("{} is not the machine we run on, so it cannot be measured: --machine makes "
                    "a profile from its distances",
                    machine.source));
  MachineProfile profile = typical_profile(machine);
  const OtherPrograms others;
  Progress progress;
  if (pairs && machine.allowed_pus().size() > 1)
    profile.latencies = measured_latencies(
        machine, [&](double share) { progress.show(share, "latencies of all pairs of PUs"); });
  measure_pairs(profile, machine, quick, progress);
  if (!quick) measure_banks(profile, machine, progress);
  profile.remark = busy_sentence(0, 0, others.share()).value_or("");
  return profile;
}

/// Makes a profile with the distances of another machine, or with latencies.
MachineProfile imported(const CalibrateOptions& options) {
  const Machine machine = options.machine ? Machine::parse(*options.machine) : Machine::discover();
  const MachineProfile base = choose_profile(options.profile ? options.profile : "none", machine)
                                  .profile.value_or(typical_profile(machine));
  if (!options.latencies) return with_distances(base, machine);
  return with_latencies(base, machine, latencies_from_csv(read_file(*options.latencies)));
}

/// Returns the profile in a file that may be replaced; none if the file is not there, or is no profile.
std::optional<MachineProfile> kept(const std::string& file) try {
  return std::filesystem::exists(file) ? std::optional(read_profile(file)) : std::nullopt;
} catch (const UsageError&) {
  return std::nullopt;
}

/// Returns the profile that --network completes; nothing is measured.
MachineProfile completed(const CalibrateOptions& options, const std::optional<MachineProfile>& before) {
  const Machine machine = Machine::discover();
  if (options.profile)
    return choose_profile(options.profile, machine).profile.value_or(typical_profile(machine));
  return before ? *before : typical_profile(machine);
}

void calibrate(const CalibrateOptions& options) {
  if (!is_profile_name(options.name))
    throw UsageError(fmt::format("--name \"{}\": expected letters, digits, _ and - only", options.name));
  const bool imports = options.machine || options.latencies;
  const bool has_matrix = options.latencies || options.pairs;
  refuse_unread(options.profile && !imports && !options.network, "--profile",
                "without --machine, --latencies or --network all is measured");
  for (const auto& [given, name] : {std::pair{options.quick, "--quick"}, {options.pairs, "--pairs"}})
    refuse_unread(given && (imports || options.network), name,
                  "with --machine, --latencies or --network nothing is measured");
  if (!has_matrix &&
      (options.format == CalibrateOptions::Form::csv || options.format == CalibrateOptions::Form::svg))
    throw UsageError("--format csv and svg are the matrix of --pairs or --latencies");
  const bool keep = options.output || !options.machine;
  const std::string file = options.output ? *options.output : keep ? profile_path(options.name) : "";
  if (keep) check_replaceable(file);
  const std::optional<MachineProfile> before = keep ? kept(file) : std::nullopt;
  MachineProfile profile = imports           ? imported(options)
                           : options.network ? completed(options, before)
                                             : measured(options.quick, options.pairs);
  std::optional<PairCosts>& network = at(profile.pairs, PairClass::across_machines);
  if (options.network)
    network = options.network;
  else if (before && !imports)  // what lies between machines is not measured here
    network = at(before->pairs, PairClass::across_machines);
  if (before && before->machine == profile.machine && profile.tuned.empty()) profile.tuned = before->tuned;
  profile.name = options.name;
  profile.when = utc_now();
  if (keep) write_profile(file, profile);
  using Form = CalibrateOptions::Form;
  if (options.format == Form::json) return fmt::print("{}", to_json(profile));
  const std::optional<Latencies> latencies = has_matrix ? profile.latencies : std::nullopt;
  if (latencies && options.format == Form::csv) return fmt::print("{}", to_csv(*latencies));
  if (latencies && options.format == Form::svg)
    return fmt::print("{}", to_svg(chart_of(*latencies, profile.machine)));
  fmt::print("{}", profile_table(profile));
  if (latencies) fmt::print("\n{}", to_text(chart_of(*latencies, profile.machine)));
  if (!imports && !options.network) fmt::print("{}", remarks(Machine::discover(), profile, options.quick));
  if (keep)
    fmt::print("written to {}\n", file);
  else
    fmt::print("not written: it is about another machine; --output FILE keeps it\n");
}

}  // namespace

void add_calibrate(const Command& program) {
  const auto options = std::make_shared<CalibrateOptions>();
  const Command command =
      program.command("calibrate", "Measure what messages and memory cost on this machine, and keep it");
  command.option("--output", into(options->output), "the file to write (default: the profile's own)")
      .type_name("FILE");
  command
      .option("--name", into(options->name),
              "the profile's name: its file is NAME.json in $XDG_CONFIG_HOME/vnode, or ~/.config/vnode "
              "(default: profile); letters, digits, _ and -")
      .type_name("NAME");
  command.flag("--quick", options->quick, "few rounds, and no banks");
  command
      .option("--machine", into(options->machine),
              "nothing is measured: the profile follows from the distances between NUMA nodes in a file "
              "of hwloc's XML")
      .type_name("FILE.xml");
  command
      .option("--profile", into(options->profile),
              "with --machine: the profile, a file or a name, whose costs inside a NUMA node it starts "
              "from (default: typical costs); with --network: the one that gets them (default: the one that "
              "is replaced, or typical costs)")
      .type_name("FILE|NAME");
  command.flag(
      "--pairs", options->pairs,
      "measure the latency of every pair of PUs, too, show it as a heat map, and measure the costs of a "
      "class on its median pair");
  command
      .option(
          "--latencies", into(options->latencies),
          "nothing is measured: the costs of classes follow from a matrix of nanoseconds between PUs, by "
          "the system's numbers, square or its lower triangle, as core-to-core benchmarks write it; of this "
          "machine or that of --machine")
      .type_name("FILE.csv");
  command
      .option(
          "--network", [options](const std::string& text) { options->network = parsed_network(text); },
          "nothing is measured: the profile that is kept gets these t_s,t_w,o between machines, in "
          "nanoseconds, as a cluster's report tells them")
      .type_name("LIST");
  using Form = CalibrateOptions::Form;
  command.group("Output").choice(
      "--format", {{"text", Form::text}, {"json", Form::json}, {"csv", Form::csv}, {"svg", Form::svg}},
      options->format, "what to write; csv, svg: the matrix of latencies");
  command.examples({{"vnode calibrate", "a minute of measuring; teams and commands then go by it"},
                    {"vnode calibrate --pairs", "with a heat map of the latencies of all pairs of PUs"}});
  command.run([options] { calibrate(*options); });
}

}  // namespace vnode
