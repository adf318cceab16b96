#include "options/place.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>
#include <vnode/model/port_banks.hpp>

#include "base/counted.hpp"
#include "commands.hpp"
#include "files/file.hpp"
#include "measure/bandwidth.hpp"
#include "options/written.hpp"
#include "place/experimenter.hpp"
#include "place/lists.hpp"
#include "place/reports.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// Takes a signal, which while the object lives only sets `interrupted`; the next one of either kind ends the
/// process as it usually would. One that is ignored (nohup, a shell's jobs in the background) stays so.
class SignalGuard {
 public:
  explicit SignalGuard(int number) : number_(number), before_(std::signal(number, take)) {
    if (before_ == SIG_IGN) std::signal(number, SIG_IGN);
  }
  ~SignalGuard() { std::signal(number_, before_); }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static void take(int number) {
    if (interrupted != 0) {
      std::signal(number, SIG_DFL);
      std::raise(number);
    }
    interrupted = 1;
  }

  const int number_;
  void (*const before_)(int);
};

/// Replaces a file by the results so far, seldom enough.
class Keeper {
 public:
  explicit Keeper(const std::optional<std::filesystem::path>& file) : file_(file) {
    if (!file) return;
    check_replaceable(*file);
    lock_.emplace(only_writer(*file));
  }
  void keep(const Results& results, bool at_once) {
    constexpr int share = 9;
    const auto begin = SteadyClock::now();
    if (!file_ || (!at_once && begin - last_ < share * duration_)) return;
    replace_file(*file_, to_json(results));
    last_ = SteadyClock::now();
    duration_ = last_ - begin;
  }

 private:
  using SteadyClock = std::chrono::steady_clock;
  const std::optional<std::filesystem::path> file_;
  std::optional<LockFile> lock_;
  SteadyClock::time_point last_{};
  SteadyClock::duration duration_{};
};

/// Reads the results in a file. Throws std::system_error if it cannot be read, and UsageError, which names
/// it, if it has none.
Results read_results(const std::filesystem::path& file) {
  const std::string text = read_file(file.string(), most_results_bytes);
  try {
    return results_from_json(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

/// Takes the results that the file has already.
void resume(Results& results, const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return;
  Results old = read_results(file);
  if (const std::string reason = why_not_resumed(old, results); !reason.empty())
    throw UsageError(fmt::format("{}: {}; name another file, or remove it", file.string(), reason));
  results = std::move(old);
}

[[noreturn]] void tell_interruption(const Results& results, std::size_t all,
                                    const std::optional<std::filesystem::path>& file) {
  throw SystemError(fmt::format(
      "interrupted after {} of {}{}", results.outcomes.size(), counted(all, "experiment"),
      file ? fmt::format(": {} has them, and the same command goes on from there", file->string()) : ""));
}

/// Carries out a campaign's experiments in their order. With a file, what is in it already is not done again,
/// and after each experiment the file is replaced by one with all results so far, or, where writing takes
/// long, so seldom that it takes a tenth of the time; SIGINT and SIGTERM are obeyed between experiments, when
/// the file is written: then a SystemError says how far the campaign is; a second signal ends the process at
/// once. Throws UsageError if the file has results of another campaign, machine, environment, version or
/// costs, and SystemError if another process writes it.
Results run_campaign(const Campaign& campaign, const std::optional<std::filesystem::path>& file) {
  Experimenter experimenter(campaign);
  Results results = experimenter.beginning();
  Keeper keeper(file);  // from before it is read on, nobody else writes it
  if (file) resume(results, *file);
  const std::vector<Experiment> all = experiments(campaign);
  interrupted = 0;
  const SignalGuard interrupt(SIGINT), end(SIGTERM);
  Progress progress;
  while (results.outcomes.size() < all.size()) {
    const Experiment& next = all[results.outcomes.size()];
    progress.show(static_cast<double>(results.outcomes.size()) / static_cast<double>(all.size()), text(next));
    results.outcomes.push_back(experimenter.outcome(next));
    const bool stop = interrupted != 0;  // once: what is told has to be what is kept
    keeper.keep(results, stop);
    if (stop && results.outcomes.size() < all.size()) {
      if (file) tell_interruption(results, all.size(), file);
      return results;  // nothing keeps them: they are reported as they are
    }
  }
  keeper.keep(results, true);
  return results;
}

using Form = ReportOptions::Form;

struct ExperimentOptions {
  Lists lists;
  bool matrix = false;
  std::optional<std::string> campaign, results;
  ReportOptions report;
};

/// Throws UsageError if a picture has more rows or columns than it can have, before all that takes time.
void check_drawn(const ExperimentOptions& options, std::size_t rows) {
  if (options.report.form == Form::svg && rows > max_drawn_rows)
    throw UsageError(fmt::format("--format svg: up to {} or columns can be drawn, not {}; html has tables",
                                 counted(max_drawn_rows, "row"), rows));
}

void measure_matrix(const ExperimentOptions& options) {
  const Machine machine = Machine::discover();
  check_output(options.report.output);
  check_drawn(options, static_cast<std::size_t>(machine.allowed_cores()));
  Progress progress;
  const BandwidthMatrix matrix =
      bandwidth_matrix(machine, [&](double done) { progress.show(done, "streams on banks"); });
  progress.clear();
  write_output(matrix_report(machine, matrix, options.report), options.report.output);
}

/// Throws UsageError unless at most one task is given, and no lists beside it.
void check_task(const ExperimentOptions& options) {
  std::string task;
  for (const auto& [given, name] : {std::pair{options.campaign.has_value(), "--campaign"},
                                    {options.results.has_value(), "--report"},
                                    {options.matrix, "--matrix"}}) {
    if (!given) continue;
    if (!task.empty()) throw UsageError(fmt::format("{} and {} are two tasks: give one of them", task, name));
    task = name;
  }
  if (const std::string given = options.lists.given(); !task.empty() && !given.empty())
    throw UsageError(fmt::format("{} cannot be combined with {}", given, task));
  check_theme(options.report);
}

Campaign read_campaign(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return campaign_from_json(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

/// Throws UsageError, with the first reason, if every experiment was refused.
void check_any(const Results& results) {
  if (!results.outcomes.empty() &&
      std::ranges::none_of(results.outcomes, [](const Outcome& one) { return one.refused.empty(); }))
    throw UsageError(results.outcomes.front().refused);
}

/// Returns the most rows or columns that a picture of the campaign may have.
std::size_t most_rows(const Campaign& campaign) {
  std::size_t rows = 0;
  for (const ExperimentLists& lists : campaign.experiments)
    rows += std::max({lists.mappings.size(), lists.algorithms.size(), lists.bytes.size()});
  return rows;
}

/// Writes what there is of a run, and then throws if that is not all.
void report_run(const Results& results, const ReportOptions& report,
                const std::optional<std::string>& output) {
  write_output(results_report(results, report), output);
  const std::size_t all = experiments(results.campaign).size();
  if (results.outcomes.size() < all) tell_interruption(results, all, std::nullopt);
}

void place(const ExperimentOptions& options) {
  check_task(options);
  if (options.matrix) return measure_matrix(options);
  if (options.results) {
    write_output(results_report(read_results(*options.results), options.report), options.report.output);
    return;
  }
  if (options.campaign) {
    // The file that is asked for holds the results themselves; what a person reads goes to the terminal.
    for (const char* const other : {".svg", ".html", ".csv", ".txt"})
      if (options.report.output && options.report.output->ends_with(other))
        throw UsageError(
            fmt::format("--output {}: a campaign's results are JSON, and go on from there; then --report "
                        "makes the rest of "
                        "them",
                        *options.report.output));
    const auto file =
        options.report.output ? std::optional<std::filesystem::path>(*options.report.output) : std::nullopt;
    const Campaign campaign = read_campaign(*options.campaign);
    check_drawn(options, most_rows(campaign));
    report_run(run_campaign(campaign, file), options.report, std::nullopt);
    return;
  }
  const Campaign campaign = campaign_of(options.lists);
  check_output(options.report.output);
  check_drawn(options, most_rows(campaign));
  const Results results = run_campaign(campaign, std::nullopt);
  check_any(results);
  report_run(results, options.report, options.report.output);
}

}  // namespace

void add_place_experiments(const Command& program) {
  const auto options = std::make_shared<ExperimentOptions>();
  const Command command = program.command(
      "place", "Placement experiments: collectives by mapping and banks, predicted and measured");
  add_lists(command, options->lists);
  const Command instead = command.group("Instead of lists");
  instead
      .option("--campaign", into(options->campaign),
              "a file that describes them; --output then names the file of its results, "
              "which goes on where it was interrupted")
      .type_name("FILE.json");
  instead.flag("--matrix", options->matrix,
               "how fast every core reads and writes every bank, alone and with others");
  instead.option("--report", into(options->results), "the results that a campaign has written")
      .type_name("RESULTS.json");
  add_look(command, options->report);
  command.examples({{"vnode place --collective broadcast --nodes 2 --mapping compact,scatter --banks all",
                     "this machine: predicted and measured"},
                    {"vnode place --collective all_reduce --nodes 32 --mapping all --machine \"pack:2 numa:2 "
                     "core:8 pu:1\"",
                     "a described machine: predicted"},
                    {"vnode place --matrix", "the bandwidth from every core to every bank"}});
  command.run([options] {
    // The file that a campaign's --output names is of its results, whatever is written besides.
    options->report.form = options->campaign ? options->report.asked.value_or(ReportOptions::Form::table)
                                             : form_of(options->report);
    place(*options);
  });
}

}  // namespace vnode
