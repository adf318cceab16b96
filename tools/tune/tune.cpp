#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/profile.hpp>
#include <vnode/model/select.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "commands.hpp"
#include "files/file.hpp"
#include "files/profile_file.hpp"
#include "options/values.hpp"
#include "options/written.hpp"
#include "terminal/csv.hpp"
#include "terminal/progress.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"
#include "timing/other_programs.hpp"
#include "tune/tuning_measurement.hpp"

namespace vnode {
namespace {

struct TuneOptions {
  std::vector<std::string> operations;
  std::string budget = "60s", sizes = "8,64,512,4K,32K,256K,2M", name = "profile";
  std::optional<std::string> nodes, output;
  Format format = Format::text;
};

/// Returns the seconds that a text says: "90", "60s", "2min" or "1h".
double parsed_seconds(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  constexpr double minute = 60, hour = 3600, day = 24 * hour;
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "min" ? minute : unit == "h" ? hour : 0;
  if (error != std::errc{} || !(number * scale >= 1 && number * scale <= day))
    throw UsageError(fmt::format("--budget {}: expected a time of 1s to 24h, such as 60s, 5min or 1h", text));
  return number * scale;
}

/// Returns the numbers of nodes that are asked for or, as usual, 2, 4, 8 ... and the cores.
std::vector<int> nodes_of(const TuneOptions& options, const Machine& machine) {
  constexpr std::size_t most = 1024;
  std::vector<int> nodes;
  if (options.nodes) {
    for (const std::size_t value : parse_values(*options.nodes, "--nodes", {.least = 2, .most = most}))
      nodes.push_back(static_cast<int>(value));
  } else {
    const int cores = std::max(machine.allowed_cores(), 2);
    for (int next = 2; next < cores; next *= 2) nodes.push_back(next);
    nodes.push_back(cores);
  }
  std::ranges::sort(nodes);
  return nodes;
}

TuningTask task_of(const TuneOptions& options, const Machine& machine) {
  TuningTask task{.nodes = nodes_of(options, machine), .seconds = parsed_seconds(options.budget)};
  task.collectives = parse_collectives(fmt::to_string(fmt::join(options.operations, ",")));
  if (task.collectives.empty()) task.collectives.assign(collectives().begin(), collectives().end());
  task.sizes = parse_values(options.sizes, "--bytes", {.most = most_asked_bytes});
  std::ranges::sort(task.sizes);
  for (const std::size_t bytes : task.sizes)
    if (bytes % sizeof(double) != 0 && std::ranges::any_of(task.collectives, combines))
      throw UsageError(
          fmt::format("--bytes {}: doubles are combined, so that a multiple of 8 would be right", bytes));
  return task;
}

/// Returns the profile with these points in the place of what it had for the same calls, of any size.
MachineProfile with_points(MachineProfile profile, const Tuning& tuning) {
  std::erase_if(profile.tuned, [&](const TunedPoint& old) {
    return std::ranges::any_of(tuning.rows, [&](const TunedRow& row) {
      return row.point.collective == old.collective && row.point.nodes == old.nodes &&
             row.point.share_pus == old.share_pus;
    });
  });
  for (const TunedRow& row : tuning.rows) profile.tuned.push_back(row.point);
  return profile;
}

/// Returns an algorithm's name without its collective's.
std::string_view short_name(std::string_view algorithm, Collective collective) {
  const std::string prefix = fmt::format("{}_", enums::name(collective));
  return algorithm.starts_with(prefix) ? algorithm.substr(prefix.size()) : algorithm;
}

/// Returns microseconds for a person: "0.12", "1.2-31", "8400".
std::string times_text(double first, double last) {
  const auto number = [](double seconds) {
    const double us = seconds * 1e6;
    return us < 1000 ? fmt::format("{:.3g}", us) : fmt::format("{:.0f}", us);
  };
  return first == last ? number(first) : fmt::format("{}-{}", number(first), number(last));
}

/// Returns what stands between two sizes, or one of them: "64", "4K-2M", "-" for none.
std::string sizes_text(std::size_t first, std::size_t last) {
  if (first == 0) return "-";
  return first == last ? bytes_text(first) : fmt::format("{}-{}", bytes_text(first), bytes_text(last));
}

/// Returns a table for each number of nodes, with a line for each run of sizes for which the same is chosen.
std::string tuning_tables(const Tuning& tuning) {
  std::string text;
  for (auto first = tuning.rows.begin(); first != tuning.rows.end();) {
    const int nodes = first->point.nodes;
    std::vector<std::vector<std::string>> lines{{"operation", "tuned", "predicted", "bytes", "us", "gain"}};
    while (first != tuning.rows.end() && first->point.nodes == nodes) {
      const TunedPoint& point = first->point;
      const auto end = std::find_if(first, tuning.rows.end(), [&](const TunedRow& row) {
        return row.point.collective != point.collective || row.point.nodes != nodes ||
               row.chosen != first->chosen || row.predicted != first->predicted;
      });
      const TunedRow& last = *(end - 1);
      const auto most =
          std::max_element(first, end, [](const TunedRow& a, const TunedRow& b) { return a.gain < b.gain; });
      const bool same = first->chosen == first->predicted;
      lines.push_back({std::string(enums::name(point.collective)),
                       std::string(short_name(first->chosen, point.collective)),
                       same ? "the same" : std::string(short_name(first->predicted, point.collective)),
                       sizes_text(point.bytes, last.point.bytes), times_text(first->seconds, last.seconds),
                       same ? "" : fmt::format("{:.2f}", most->gain)});
      first = end;
    }
    constexpr std::size_t words = 3;
    text += counted(nodes, "node") + "\n\n" + table(lines, words, terminal_width()) + '\n';
  }
  return text;
}

std::string tuning_csv(const Tuning& tuning) {
  std::string text = "collective,nodes,share_pus,bytes,algorithm,us,chosen,predicted\n";
  for (const TunedRow& row : tuning.rows)
    for (const auto& [algorithm, seconds] : row.point.seconds)
      text += csv_line({std::string(enums::name(row.point.collective)), fmt::to_string(row.point.nodes),
                        row.point.share_pus ? "1" : "0", fmt::to_string(row.point.bytes), algorithm,
                        csv_microseconds(seconds), algorithm == row.chosen ? "1" : "0",
                        algorithm == row.predicted ? "1" : "0"});
  return text;
}

/// Says what a person should know about the measurement.
std::string remarks(const Tuning& tuning, const TuneOptions& options, const std::string& busy) {
  std::string text = busy.empty() ? busy : busy + '\n';
  if (tuning.left_out > 0)
    text += fmt::format(
        "the budget of {} was spent: {} left out; a greater --budget, fewer operations or fewer --bytes "
        "would "
        "do\n",
        options.budget, counted(tuning.left_out, "point"));
  return text;
}

void tune(const TuneOptions& options) {
  if (!is_profile_name(options.name))
    throw UsageError(fmt::format("--name \"{}\": expected letters, digits, _ and - only", options.name));
  const Machine machine = Machine::discover();
  if (!machine.this_system)
    throw UsageError(
        fmt::format("{} is not the machine we run on, so it cannot be measured", machine.source));
  const TuningTask task = task_of(options, machine);
  const std::string file = options.output ? *options.output : profile_path(options.name);
  check_replaceable(file);
  MachineProfile profile = typical_profile(machine);
  if (std::filesystem::exists(file)) {
    profile = read_profile(file);
    if (profile.machine != profile_machine(machine))
      throw UsageError(fmt::format("{} is about another machine, {}: --name or --output names another file",
                                   file, profile.machine));
  }
  const OtherPrograms others;
  Progress progress;
  const Tuning tuning =
      measured_tuning(task, [&](double done, const std::string& next) { progress.show(done, next); });
  progress.clear();
  const std::string busy = busy_sentence(tuning.late, tuning.calls, others.share()).value_or("");
  profile = with_points(std::move(profile), tuning);
  if (!busy.empty()) profile.remark = busy;
  profile.name = options.name;
  profile.when = utc_now();
  write_profile(file, profile);
  if (options.format == Format::json) return fmt::print("{}", to_json(profile));
  if (options.format == Format::csv) return fmt::print("{}", tuning_csv(tuning));
  fmt::print(
      "{}gain: how many times as long the predicted one takes, at most\n{}written to "
      "{}\n",
      tuning_tables(tuning), remarks(tuning, options, busy), file);
}

}  // namespace

void add_tune(const Command& program) {
  const auto options = std::make_shared<TuneOptions>();
  const Command command = program.command(
      "tune", "Measure which algorithms are fastest on this machine, and keep them in its profile");
  command.list("OPERATION", options->operations, "broadcast, all_reduce, ... (default: all)").type_name("");
  command.option("--budget", into(options->budget), "how long it may take: 60s, 5min, 1h (default: 60s)")
      .type_name("TIME");
  command
      .option(
          "--nodes", into(options->nodes),
          "p: a range, 2:16, that doubles, or a list; more than cores share them (default: 2, 4, 8 ... and "
          "the cores)")
      .type_name("P:P|LIST");
  command
      .option("--bytes", into(options->sizes),
              "m: a range, 8:8M, that doubles, or a list (default: 8,64,512,4K,32K,256K,2M)")
      .type_name("M:M|LIST");
  command
      .option("--name", into(options->name),
              "the profile's name, as for calibrate (default: profile); other machines' profiles are refused")
      .type_name("NAME");
  command.option("--output", into(options->output), "the profile's file (default: by its name)")
      .type_name("FILE");
  add_table_format(command, options->format);
  command.examples(
      {{"vnode tune", "all operations, for a minute; teams then choose by it"},
       {"vnode tune all_reduce --nodes 8 --bytes 8:1M --budget 20s", "one operation, more exactly"}});
  command.run([options] { tune(*options); });
}

}  // namespace vnode
