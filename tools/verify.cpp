#include "verify.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/error.hpp>
#include <vnode/shape.hpp>
#include <vnode/sweep.hpp>

#include "format.hpp"
#include "number.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Options {
  std::optional<std::string> collective, algorithm;
  SweepOptions sweep;
  Format format = Format::text;
};

std::vector<Algorithm> chosen(const Options& options) {
  std::vector<Algorithm> all(algorithms().begin(), algorithms().end());
  if (options.algorithm) all = {algorithm(*options.algorithm)};
  if (!options.collective) return all;
  const Collective collective = parse_collective(*options.collective);
  std::erase_if(all, [=](const Algorithm& candidate) { return candidate.collective != collective; });
  if (all.empty())
    throw UsageError(fmt::format("--algorithm {} is no algorithm of {}: leave --collective out",
                                 *options.algorithm, *options.collective));
  return all;
}

void print_failures(std::FILE* file, const std::vector<SweepResult>& results) {
  for (const SweepResult& result : results)
    for (const std::string& failure : result.failures)
      fmt::print(file, "{}: {}\n", result.algorithm, failure);
}

void print_json(const std::vector<SweepResult>& results) {
  Json list = Json::array();
  for (const SweepResult& result : results)
    list.push_back({{"algorithm", result.algorithm},
                    {"checks", result.checks},
                    {"mutants", result.mutants},
                    {"failures", result.failures.size()}});
  fmt::print("{}\n", list.dump(2));
  print_failures(stderr, results);
}

void print_row(std::string_view name, const std::string& checks, const std::string& mutants,
               const std::string& failures) {
  fmt::print("{:<25} {:>10} {:>10} {:>10}\n", name, checks, mutants, failures);
}

void print_text(const std::vector<SweepResult>& results, const SweepOptions& sweep, Clock::duration took) {
  long checks = 0, mutants = 0;
  std::size_t failures = 0;
  print_row("algorithm", "checks", "mutants", "failures");
  for (const SweepResult& result : results) {
    print_row(result.algorithm, std::to_string(result.checks), std::to_string(result.mutants),
              std::to_string(result.failures.size()));
    checks += result.checks, mutants += result.mutants, failures += result.failures.size();
  }
  print_row("all", std::to_string(checks), std::to_string(mutants), std::to_string(failures));
  print_failures(stdout, results);
  fmt::print("{} nodes at most, with mutants up to {}; {:.1f} s\n", sweep.max_nodes,
             std::min(sweep.max_nodes, sweep.mutant_nodes), std::chrono::duration<double>(took).count());
}

bool verify_all(const Options& options) {
  const std::vector<Algorithm> subjects = chosen(options);
  const Clock::time_point start = Clock::now();
  const std::vector<SweepResult> results = sweep(subjects, options.sweep);
  if (options.format == Format::json)
    print_json(results);
  else
    print_text(results, options.sweep, Clock::now() - start);
  return std::ranges::all_of(results, [](const SweepResult& result) { return result.failures.empty(); });
}

}  // namespace

void add_verify(CLI::App& app, bool& verified) {
  const auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand(
      "verify", "Prove that every algorithm keeps its promises, and that the proof rejects mutants");
  command->add_option("--collective", options->collective, "only algorithms of this one")->type_name("C");
  command->add_option("--algorithm", options->algorithm, "only this one")->type_name("NAME");
  add_number(
      *command, "--max-nodes", {.least = 1, .most = max_nodes},
      [options](int nodes) { options->sweep.max_nodes = nodes; },
      fmt::format("the greatest number of nodes (default: {})", options->sweep.max_nodes))
      ->type_name("N");
  add_format(*command, options->format);
  command->callback([options, &verified] { verified = verify_all(*options); });
}

}  // namespace vnode
