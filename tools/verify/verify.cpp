#include "verify/verify.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/shape.hpp>

#include "options/choice.hpp"
#include "options/format.hpp"
#include "options/number.hpp"
#include "options/subject.hpp"
#include "terminal/csv.hpp"
#include "verify/verify_schedule.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Options {
  std::optional<std::string> collective, schedule;
  std::vector<std::string> algorithms;
  PlaceOptions place;  // root and shift
  std::optional<Ports> ports;
  SweepOptions sweep;
  bool max_nodes = false;  // given
  Format format = Format::text;
};

std::vector<Algorithm> chosen(const Options& options) {
  const auto collective =
      options.collective ? std::optional(parse_collective(*options.collective)) : std::nullopt;
  std::vector<Algorithm> subjects;
  for (const Algorithm* const named : named_algorithms(options.algorithms, collective))
    subjects.push_back(*named);
  if (!options.algorithms.empty()) return subjects;
  for (const Algorithm& algorithm : algorithms())
    if (!collective || algorithm.collective == *collective) subjects.push_back(algorithm);
  return subjects;
}

// The first few of each algorithm: what is wrong once is wrong for many p and roots.
void print_failures(std::FILE* file, const std::vector<SweepResult>& results) {
  constexpr std::ptrdiff_t enough = 10;
  for (const SweepResult& result : results) {
    const std::ptrdiff_t shown = std::min(std::ssize(result.failures), enough);
    for (std::ptrdiff_t i = 0; i < shown; ++i)
      fmt::print(file, "{}: {}\n", result.algorithm, result.failures[static_cast<std::size_t>(i)]);
    if (shown < result.failed) fmt::print(file, "{}: and {} more\n", result.algorithm, result.failed - shown);
  }
}

void print_json(const std::vector<SweepResult>& results) {
  Json list = Json::array();
  for (const SweepResult& result : results)
    list.push_back({{"algorithm", result.algorithm},
                    {"checks", result.checks},
                    {"mutants", result.mutants},
                    {"failures", result.failed}});
  fmt::print("{}\n", list.dump(2));
  print_failures(stderr, results);
}

void print_csv(const std::vector<SweepResult>& results) {
  fmt::print("algorithm,checks,mutants,failures\n");
  for (const SweepResult& result : results)
    fmt::print("{}", csv_line({std::string(result.algorithm), fmt::to_string(result.checks),
                               fmt::to_string(result.mutants), fmt::to_string(result.failed)}));
  print_failures(stderr, results);
}

// How far the sweep went: "p up to 64 (32 with p * p blocks, 130 or 256 for some), with mutants up to 9".
std::string extent(const std::vector<Algorithm>& subjects, const SweepOptions& sweep) {
  std::set<int> further;
  int most = 0, squares = 0;
  for (const Algorithm& subject : subjects) {
    const int reach = most_nodes(subject, sweep);
    if (subject.collective == Collective::all_to_all)
      squares = reach;
    else if (reach > sweep.max_nodes)
      further.insert(reach);
    else
      most = reach;
  }
  std::vector<std::string> exceptions;
  if (squares > 0 && squares < most) exceptions.push_back(fmt::format("{} with p * p blocks", squares));
  if (!further.empty() && most > 0)
    exceptions.push_back(fmt::format("{} for some", fmt::join(further, " or ")));
  if (most == 0) most = further.empty() ? squares : *further.rbegin();
  return fmt::format("p up to {}{}, with mutants up to {}", most,
                     exceptions.empty() ? "" : fmt::format(" ({})", fmt::join(exceptions, ", ")),
                     std::min(most, sweep.mutant_nodes));
}

void print_text(const std::vector<Algorithm>& subjects, const std::vector<SweepResult>& results) {
  SweepResult all;
  all.algorithm = "all";
  std::size_t width = 0;
  for (const SweepResult& result : results) {
    all.checks += result.checks;
    all.mutants += result.mutants;
    all.failed += result.failed;
    width = std::max(width, result.algorithm.size());
  }
  const auto print_row = [&](const SweepResult& result) {
    fmt::print("{:<{}} {:>9} {:>9} {:>9}\n", result.algorithm, width, result.checks, result.mutants,
               result.failed);
  };
  fmt::print("{:<{}} {:>9} {:>9} {:>9}\n", "algorithm", width, "checks", "mutants", "failures");
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0 && subjects[i].collective != subjects[i - 1].collective) fmt::print("\n");
    print_row(results[i]);
  }
  if (results.size() > 1) {
    fmt::print("\n");
    print_row(all);
  }
  print_failures(stdout, results);
}

bool verify_all(const Options& options) {
  const char* const all =
      "algorithms are verified as they promise, for every root; it is for --schedule FILE";
  refuse_unread(options.place.root.has_value(), "--root", all);
  refuse_unread(options.place.shift.has_value(), "--shift", all);
  refuse_unread(options.ports.has_value(), "--ports", all);
  const std::vector<Algorithm> subjects = chosen(options);
  const Clock::time_point start = Clock::now();
  const std::vector<SweepResult> results = sweep(subjects, options.sweep);
  const std::chrono::duration<double> took = Clock::now() - start;
  if (options.format == Format::json) {
    print_json(results);
  } else if (options.format == Format::csv) {
    print_csv(results);
  } else {
    print_text(subjects, results);
    fmt::print("{}; {:.1f} s\n", extent(subjects, options.sweep), took.count());
  }
  return std::ranges::all_of(results, [](const SweepResult& result) { return result.failed == 0; });
}

bool verify_file(const Options& options) {
  if (!options.collective)
    throw UsageError("--schedule needs --collective C: what the schedule is to achieve");
  if (!options.algorithms.empty())
    throw UsageError(fmt::format("either --algorithm or --schedule, not both {} and {}",
                                 fmt::join(options.algorithms, ","), *options.schedule));
  if (options.format == Format::csv)
    throw UsageError("--format csv is of algorithms, a line for each: of a schedule text or json is written");
  refuse_unread(options.max_nodes, "--max-nodes", "a schedule has the nodes that it has");
  return verify_schedule({.file = *options.schedule,
                          .collective = parse_collective(*options.collective),
                          .place = options.place,
                          .ports = options.ports,
                          .format = options.format});
}

}  // namespace

void add_verify(Command app, bool& verified) {
  const auto options = std::make_shared<Options>();
  const Command command = app.command(
      "verify", "Prove that every algorithm keeps its promises, and that the proof rejects mutants");
  command
      .option("--collective", options->collective,
              "only algorithms of this one; what a schedule is to achieve")
      .type_name("C");
  command.option("--algorithm", options->algorithms, "only these, by names; can be given several times")
      .type_name("NAME,...");
  command
      .option("--schedule", options->schedule,
              "instead of algorithms: a file with a schedule in the text form that `vnode show` prints")
      .type_name("FILE");
  add_root_and_shift(command, options->place);
  add_choice<Ports>(
      command, "--ports", {{"single", Ports::single}, {"all", Ports::all}},
      [options](Ports ports) { options->ports = ports; },
      "the port model of a schedule (default: single if no node sends or receives two messages in a round, "
      "else all)");
  add_number(
      command, "--max-nodes", {.least = 1, .most = max_nodes},
      [options](int nodes) {
        options->sweep.max_nodes = nodes;
        options->max_nodes = true;
      },
      fmt::format("the greatest number of nodes (default: {})", options->sweep.max_nodes))
      .type_name("N");
  add_table_format(command, options->format);
  command.run(
      [options, &verified] { verified = options->schedule ? verify_file(*options) : verify_all(*options); });
}

}  // namespace vnode
