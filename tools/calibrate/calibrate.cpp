#include "calibrate/calibrate.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/profile.hpp>

#include "calibrate/profile_table.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"
#include "measure/bank_measurement.hpp"
#include "measure/pair_measurement.hpp"
#include "measure/utc_now.hpp"
#include "options/format.hpp"
#include "options/place.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

struct Options {
  std::optional<std::string> machine, profile, output;
  std::string name = "profile";
  bool quick = false;
  Format format = Format::text;
};

/// How far the bar is after the pairs: a pair takes about as long as a bank.
double share_of_pairs(const Machine& machine, bool quick) {
  const auto pairs = static_cast<double>(class_examples(machine).size());
  const auto banks = quick ? 0 : static_cast<double>(machine.numas.size());
  return pairs + banks > 0 ? pairs / (pairs + banks) : 0;
}

void measure_pairs(MachineProfile& profile, const Machine& machine, bool quick, Progress& progress) {
  constexpr int rounds = 51, few_rounds = 11;
  const std::vector<ClassExample> examples = class_examples(machine);
  const double whole = share_of_pairs(machine, quick);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const ClassExample& pair = examples[i];
    const auto measured = [&](double share) {
      progress.show(whole * (static_cast<double>(i) + share) / static_cast<double>(examples.size()),
                    fmt::format("{}: PUs {} and {}", name(pair.pair_class), pair.a, pair.b));
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

/// What a person should know about the measurement.
std::string remarks(const Machine& machine, const MachineProfile& profile, bool quick) {
  const std::vector<ClassExample> examples = class_examples(machine);
  std::string text;
  if (examples.empty())
    text +=
        "the process may use one PU only: there is no pair to measure, and the costs of pairs are typical\n";
  if (examples.size() == 1)
    text += fmt::format("all pairs of PUs that the process may use are of one class, {}\n",
                        name(examples.front().pair_class));
  if (quick) return text + "a quick look: few rounds, and the banks were not read\n";
  for (std::size_t numa = 0; numa < machine.numas.size(); ++numa) {
    if (!profile.banks[numa]) continue;
    const StreamedMemory memory = measured_memory(machine, static_cast<int>(numa));
    text += fmt::format("the bank of NUMA node {} was read in {} MiB{}\n", numa, memory.bytes >> 20,
                        memory.beyond_caches ? "" : ", a quarter of it, which is less than twice the caches");
  }
  return text;
}

MachineProfile measured(bool quick) {
  const Machine machine = Machine::discover();
  if (!machine.this_system)
    throw UsageError(
        fmt::format("{} is not the machine we run on, so it cannot be measured: --machine makes "
                    "a profile from its distances",
                    machine.source));
  MachineProfile profile = typical_profile(machine);
  Progress progress;
  measure_pairs(profile, machine, quick, progress);
  if (!quick) measure_banks(profile, machine, progress);
  return profile;
}

/// From the distances of another machine.
MachineProfile imported(const Options& options) {
  const Machine machine = Machine::parse(*options.machine);
  return with_distances(options.profile ? *choose_profile(options.profile).profile : typical_profile(machine),
                        machine);
}

void calibrate(const Options& options) {
  if (!is_profile_name(options.name))
    throw UsageError(fmt::format("--name \"{}\": expected letters, digits, _ and - only", options.name));
  refuse_unread(options.profile && !options.machine, "--profile", "without --machine all is measured");
  refuse_unread(options.quick && options.machine, "--quick", "with --machine nothing is measured");
  const bool keep = options.output || !options.machine;
  const std::filesystem::path file = options.output ? std::filesystem::path(*options.output)
                                     : keep         ? profile_path(options.name)
                                                    : std::filesystem::path();
  if (keep) check_replaceable(file);
  MachineProfile profile = options.machine ? imported(options) : measured(options.quick);
  profile.name = options.name;
  profile.when = utc_now();
  if (keep) write_profile(file, profile);
  if (options.format == Format::json) {
    fmt::print("{}", to_json(profile));
    return;
  }
  fmt::print("{}", profile_table(profile));
  if (!options.machine) fmt::print("{}", remarks(Machine::discover(), profile, options.quick));
  if (keep)
    fmt::print("written to {}\n", file.string());
  else
    fmt::print("not written: it is about another machine; --output FILE keeps it\n");
}

}  // namespace

void add_calibrate(Command app) {
  const auto options = std::make_shared<Options>();
  const Command command =
      app.command("calibrate", "Measure what messages and memory cost on this machine, and keep it");
  command.option("--output", options->output, "the file to write (default: the profile's own)")
      .type_name("FILE");
  command
      .option("--name", options->name,
              "the profile's name: its file is NAME.json in $XDG_CONFIG_HOME/vnode, or ~/.config/vnode "
              "(default: profile); letters, digits, _ and -")
      .type_name("NAME");
  command.flag("--quick", options->quick, "few rounds, and no banks");
  command
      .option("--machine", options->machine,
              "nothing is measured: the profile follows from the distances between NUMA nodes in a file "
              "of hwloc's XML")
      .type_name("FILE.xml");
  command
      .option("--profile", options->profile,
              "with --machine: the profile, a file or a name, whose costs inside a NUMA node it starts "
              "from (default: typical costs)")
      .type_name("FILE|NAME");
  add_format(command, options->format);
  command.run([options] { calibrate(*options); });
}

}  // namespace vnode
