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
#include <vnode/lab/mutants.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/select.hpp>
#include <vnode/model/verify.hpp>
#include <vnode/own_schedule.hpp>
#include <vnode/shape.hpp>

#include "base/counted.hpp"
#include "commands.hpp"
#include "options/subject.hpp"
#include "options/values.hpp"
#include "options/written.hpp"
#include "terminal/listing.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

// Holds what is known of a schedule from a file.
struct Judgement {
  std::vector<std::string> faults{};
  std::optional<MutantFindings> mutants{};  // nothing: it is wrong, or too large to try them
  bool in_order = false, canonical = false, varying = false;
};

Judgement judged(const Schedule& schedule, const Demand& demand, Ports ports) {
  // Each mutant is a replay.
  constexpr long most = 1L << 22;
  const Contract wanted = contract_for(schedule, demand);
  const Promises promises{.ports = ports, .same_bits = demand.collective == Collective::all_reduce};
  Judgement judgement{.faults = verify(schedule, wanted, promises)};
  if (!judgement.faults.empty()) return judgement;
  judgement.in_order = keeps_order(schedule, wanted);
  judgement.canonical = canonical(schedule, wanted);
  judgement.varying = within_shares(schedule, wanted);
  long transfers = 0;
  for (const Round& round : schedule.rounds()) transfers += std::ssize(round);
  if (transfers * transfers * (schedule.nodes() + schedule.blocks()) <= most)
    judgement.mutants = verify_mutants(schedule, wanted, promises);
  return judgement;
}

void print_json(std::string_view file, const Judgement& judgement) {
  Json row{{"schedule", file}, {"faults", judgement.faults}};
  if (judgement.faults.empty())
    row.update({{"in_order", judgement.in_order},
                {"canonical", judgement.canonical},
                {"varying", judgement.varying}});
  if (judgement.mutants)
    row.update({{"mutants", judgement.mutants->mutants}, {"accepted", judgement.mutants->survivors}});
  fmt::print("{}\n", row.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_text(std::string_view file, const Schedule& schedule, const Demand& demand,
                const Judgement& judgement) {
  const std::string_view wanted = enums::name(demand.collective);
  if (!judgement.faults.empty()) {
    fmt::print("{} is no right {}:\n", file, wanted);
    for (const std::string& fault : judgement.faults) fmt::print("  {}\n", fault);
    return;
  }
  const auto answer = [](bool yes) { return yes ? "yes" : "no"; };
  std::size_t sent = 0;
  for (const Round& round : schedule.rounds()) sent += messages(round).size();
  fmt::print("{} is a right {}: {}, {}, {}, {}\n", file, wanted, counted(schedule.nodes(), "node"),
             counted(schedule.blocks(), "block"), counted(schedule.rounds().size(), "round"),
             counted(sent, "message"));
  if (combines(demand.collective))
    fmt::print("keeps rank order: {}\ncanonical expression: {}\n", answer(judgement.in_order),
               answer(judgement.canonical));
  else if (demand.collective != Collective::barrier)
    fmt::print("serves v-variants: {}\n", answer(judgement.varying));
  if (!judgement.mutants) {
    fmt::print("mutants: not tried, the schedule is too large\n");
    return;
  }
  const std::vector<std::string>& right = judgement.mutants->survivors;
  fmt::print("mutants: {}, {} rejected{}\n", judgement.mutants->mutants,
             judgement.mutants->mutants - std::ssize(right),
             right.empty() ? "" : "; the others are right, too:");
  for (const std::string& mistake : right) fmt::print("  {}\n", mistake);
}

using Clock = std::chrono::steady_clock;

/// Holds a schedule of the user's own, and what it is to achieve.
struct ScheduleTrial {
  std::string file;
  Collective collective = Collective::broadcast;
  PlaceOptions place;          // root and shift
  std::optional<Ports> ports;  // by default ports_of() the schedule
  Format format = Format::text;
};

/// Prints whether the schedule is right, what is wrong with it, what else it is good for, and how its mutants
/// fare. A mutant that is accepted is a right schedule, too. Returns whether the schedule is right. Throws
/// UsageError if the file cannot be a schedule for that at all.
bool verify_schedule(const ScheduleTrial& trial) {
  const Schedule schedule = read_schedule(trial.file);
  const Demand demand{.collective = trial.collective,
                      .parameters = parameters_of(trial.place, trial.collective, schedule.nodes())};
  std::optional<Notice> notice(std::in_place, "verifying");
  const Judgement judgement = judged(schedule, demand, trial.ports.value_or(ports_of(schedule)));
  notice.reset();
  if (trial.format == Format::json)
    print_json(trial.file, judgement);
  else
    print_text(trial.file, schedule, demand, judgement);
  return judgement.faults.empty();
}

struct VerifyOptions {
  std::optional<std::string> collective, schedule;
  std::vector<std::string> algorithms;
  PlaceOptions place;  // root and shift
  std::optional<Ports> ports;
  SweepOptions sweep;
  bool max_nodes = false;  // given
  Format format = Format::text;
};

std::vector<Algorithm> chosen(const VerifyOptions& options) {
  const std::vector<Collective> of = parse_collectives(options.collective.value_or(""));
  std::vector<Algorithm> subjects;
  for (const Algorithm* const named :
       named_algorithms(options.algorithms, of.size() == 1 ? std::optional(of.front()) : std::nullopt))
    subjects.push_back(*named);
  if (!options.algorithms.empty()) return subjects;
  for (const Algorithm& algorithm : algorithms())
    if (of.empty() || std::ranges::count(of, algorithm.collective) > 0) subjects.push_back(algorithm);
  return subjects;
}

// Prints the first few failures of each algorithm: what is wrong once is wrong for many p and roots.
void print_failures(std::FILE* file, const std::vector<SweepResult>& results) {
  constexpr std::ptrdiff_t enough = 10;
  for (const SweepResult& result : results) {
    const std::ptrdiff_t shown = std::min(std::ssize(result.failures), enough);
    for (std::ptrdiff_t i = 0; i < shown; ++i)
      fmt::print(file, "{}: {}\n", result.algorithm, result.failures[static_cast<std::size_t>(i)]);
    if (shown < result.failed) fmt::print(file, "{}: and {} more\n", result.algorithm, result.failed - shown);
  }
}

Listing listing_of(const std::vector<SweepResult>& results) {
  Listing listing{{"algorithm", "checks", "mutants", "failures"}};
  for (const SweepResult& result : results)
    listing.row({result.algorithm, result.checks, result.mutants, result.failed});
  return listing;
}

// Says how far the sweep went: "p up to 64 (32 with p * p blocks, 130 or 256 for some), with mutants up to
// 9".
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

bool verify_all(const VerifyOptions& options) {
  const char* const all =
      "algorithms are verified as they promise, for every root; it is for --schedule FILE";
  refuse_unread(options.place.root.has_value(), "--root", all);
  refuse_unread(options.place.shift.has_value(), "--shift", all);
  refuse_unread(options.ports.has_value(), "--ports", all);
  const std::vector<Algorithm> subjects = chosen(options);
  const Clock::time_point start = Clock::now();
  std::optional<Notice> notice(std::in_place, "verifying " + extent(subjects, options.sweep));
  const std::vector<SweepResult> results = sweep(subjects, options.sweep);
  notice.reset();
  const std::chrono::duration<double> took = Clock::now() - start;
  if (options.format == Format::text) {
    print_text(subjects, results);
    fmt::print("{}; {:.1f} s\n", extent(subjects, options.sweep), took.count());
  } else {
    const Listing listing = listing_of(results);
    fmt::print("{}", options.format == Format::csv ? listing.csv() : listing.json() + '\n');
    print_failures(stderr, results);
  }
  return std::ranges::all_of(results, [](const SweepResult& result) { return result.failed == 0; });
}

bool verify_file(const VerifyOptions& options) {
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

void add_verify(const Command& program, bool& verified) {
  const auto options = std::make_shared<VerifyOptions>();
  const Command command = program.command(
      "verify", "Prove that every algorithm keeps its promises, and that the proof rejects mutants");
  command
      .option("--collective", into(options->collective),
              "only algorithms of these; what a schedule is to achieve")
      .type_name("C,...");
  command.list("--algorithm", options->algorithms, "only these, by names; can be given several times")
      .type_name("NAME,...");
  command
      .option("--schedule", into(options->schedule),
              "instead of algorithms: a file with a schedule in the text form that `vnode show` prints")
      .type_name("FILE");
  add_root_and_shift(command, options->place);
  command.choice<Ports>(
      "--ports", {{"single", Ports::single}, {"all", Ports::all}}, into(options->ports),
      "the port model of a schedule (default: single if no node sends or receives two messages in a round, "
      "else all)");
  command
      .whole(
          "--max-nodes", {.least = 1, .most = max_nodes},
          [options](int nodes) {
            options->sweep.max_nodes = nodes;
            options->max_nodes = true;
          },
          fmt::format("the greatest number of nodes (default: {})", options->sweep.max_nodes))
      .type_name("N");
  add_table_format(command, options->format);
  command.examples({{"vnode verify", "all algorithms, all roots, and mutants"},
                    {"vnode verify --schedule mine.txt --collective broadcast", "a schedule of your own"}});
  command.run(
      [options, &verified] { verified = options->schedule ? verify_file(*options) : verify_all(*options); });
}

}  // namespace vnode
