#include "place/place.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>
#include <vnode/lab/port_banks.hpp>

#include "base/counted.hpp"
#include "files/file.hpp"
#include "measure/bandwidth_matrix.hpp"
#include "options/choice.hpp"
#include "options/number.hpp"
#include "options/place.hpp"
#include "options/theme.hpp"
#include "place/lists.hpp"
#include "place/matrix_report.hpp"
#include "place/results_csv.hpp"
#include "place/results_report.hpp"
#include "place/results_table.hpp"
#include "place/run_campaign.hpp"
#include "terminal/progress.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

enum class Written { table, json, csv, html, svg };

struct Options {
  Lists lists;
  bool matrix = false;
  std::optional<std::string> campaign, report, output;
  Written written = Written::table;
  Theme theme = Theme::automatic;
};

std::string written(const Options& options, const Results& results) {
  switch (options.written) {
    case Written::json:
      return to_json(results);
    case Written::csv:
      return results_csv(results);
    case Written::html:
      return results_html(results, options.theme);
    case Written::svg:
      return results_svg(results, options.theme);
    case Written::table:
      break;
  }
  return results_table(results, terminal_width());
}

std::string written(const Options& options, const Machine& machine, const BandwidthMatrix& matrix) {
  switch (options.written) {
    case Written::json:
      return matrix_json(machine, matrix);
    case Written::csv:
      return matrix_csv(machine, matrix);
    case Written::html:
      return matrix_html(machine, matrix, options.theme);
    case Written::svg:
      return matrix_svg(machine, matrix, options.theme);
    case Written::table:
      break;
  }
  return matrix_table(machine, matrix, terminal_width());
}

/// Before all that takes time.
void check_drawn(const Options& options, std::size_t bars) {
  if (options.written == Written::svg && bars > max_drawn_bars)
    throw UsageError(fmt::format("--format svg: up to {} can be read, not {}; html has them in tables",
                                 counted(max_drawn_bars, "bar"), bars));
}

void measure_matrix(const Options& options) {
  const Machine machine = Machine::discover();
  check_output(options.output);
  check_drawn(options,
              matrix_bars(static_cast<std::size_t>(machine.allowed_cores()), banks_of(machine).size()));
  Progress progress;
  const BandwidthMatrix matrix =
      bandwidth_matrix(machine, [&](double done) { progress.show(done, "streams on banks"); });
  progress.clear();
  write_output(written(options, machine, matrix), options.output);
}

/// At most one of them, and no lists beside it.
void check_task(const Options& options) {
  std::string task;
  for (const auto& [given, name] : {std::pair{options.campaign.has_value(), "--campaign"},
                                    {options.report.has_value(), "--report"},
                                    {options.matrix, "--matrix"}}) {
    if (!given) continue;
    if (!task.empty()) throw UsageError(fmt::format("{} and {} are two tasks: give one of them", task, name));
    task = name;
  }
  if (const std::string given = options.lists.given(); !task.empty() && !given.empty())
    throw UsageError(fmt::format("{} does nothing here: {} says all", given, task));
  refuse_unread(options.theme != Theme::automatic && options.written != Written::svg &&
                    options.written != Written::html,
                "--theme", "only --format svg and html have colours");
}

Campaign read_campaign(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return campaign_from_json(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

/// One of them refused tells what is wrong; several may have reasons of their own.
void check_any(const Results& results) {
  if (!results.outcomes.empty() &&
      std::ranges::none_of(results.outcomes, [](const Outcome& one) { return one.refused.empty(); }))
    throw UsageError(results.outcomes.front().refused);
}

/// One for each experiment and prediction, and one for its measurement where there may be one.
std::size_t most_bars(const Campaign& campaign) {
  const bool measured = !campaign.machine && record_of(Machine::discover()).measured;
  return experiments(campaign).size() * (measured ? 2 : 1);
}

void place(const Options& options) {
  check_task(options);
  if (options.matrix) return measure_matrix(options);
  if (options.report) {
    write_output(written(options, read_results(*options.report)), options.output);
    return;
  }
  if (options.campaign) {
    // The file that is asked for holds the results themselves; what a person reads goes to the terminal.
    const auto file = options.output ? std::optional<std::filesystem::path>(*options.output) : std::nullopt;
    const Campaign campaign = read_campaign(*options.campaign);
    check_drawn(options, most_bars(campaign));
    write_output(written(options, run_campaign(campaign, file)), std::nullopt);
    return;
  }
  const Campaign campaign = campaign_of(options.lists);
  check_output(options.output);
  check_drawn(options, most_bars(campaign));
  const Results results = run_campaign(campaign, std::nullopt);
  check_any(results);
  write_output(written(options, results), options.output);
}

}  // namespace

void add_place_experiments(Command app) {
  const auto options = std::make_shared<Options>();
  const Command command =
      app.command("place", "Placement experiments: collectives by mapping and banks, predicted and measured");
  add_lists(command, options->lists);
  command
      .option("--campaign", options->campaign,
              "instead of lists: a file that describes them; --output then names the file of its results, "
              "which goes on where it was interrupted")
      .type_name("FILE.json");
  command.flag(
      "--matrix", options->matrix,
      "instead of experiments: how fast every core reads and writes every bank, alone and with others");
  command
      .option("--report", options->report, "instead of experiments: the results that a campaign has written")
      .type_name("RESULTS.json");
  add_choice(command, "--format",
             {{"table", Written::table},
              {"json", Written::json},
              {"csv", Written::csv},
              {"html", Written::html},
              {"svg", Written::svg}},
             options->written, "what to write");
  add_theme(command, options->theme);
  command.option("--output", options->output, "the file to write (default: standard output)")
      .type_name("FILE");
  command.run([options] { place(*options); });
}

}  // namespace vnode
