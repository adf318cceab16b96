#include "command_line/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vnode/error.hpp>
#include <vnode/version.hpp>

#include "data/element.hpp"
#include "questions/register.hpp"
#include "report/bytes.hpp"

namespace vnode::bench {
namespace {

// What CLI11 fills, before it is checked.
struct Texts {
  std::string min_bytes = "8", max_bytes = "8M", root = "0", against, format = "table", output;
  int nodes = 0, iterations = 0;
};

template <class Table>
std::vector<std::string> names(const Table& table) {
  std::vector<std::string> all;
  for (const auto& row : table) all.emplace_back(row.name);
  return all;
}

void describe(CLI::App& app, Options& options, Texts& texts) {
  app.set_version_flag("--version", fmt::format("vnode-bench {}", version()));
  app.add_option("collectives", options.operations,
                 fmt::format("What to measure: {}. Without any: all collectives",
                             fmt::join(names(operations()), ", ")))
      ->type_name("");
  app.add_option("--nodes", texts.nodes, "Virtual nodes [max(2, min(cores, 64))]")->type_name("P");
  app.add_option("--topology", options.topology, "ring, array, mesh:4x4, torus:2x3x4, hypercube, tree, full")
      ->type_name("T")
      ->capture_default_str();
  app.add_option("--algorithm", options.algorithm,
                 "auto (least cost), all, or a name such as broadcast_binomial")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--min-bytes", texts.min_bytes, "Smallest vector; K, M and G are powers of 1024")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--max-bytes", texts.max_bytes, "Largest vector")->type_name("N")->capture_default_str();
  app.add_option("--factor", options.factor, "From one size to the next")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(2, 1 << 20));
  app.add_option("--iters", texts.iterations, "Calls of each contestant that count [what 0.4 s allow]")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 24));
  app.add_option("--warmup", options.effort.warmup, "Calls of each contestant before")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(0, 1 << 24));
  app.add_option("--root", texts.root, "The root, or all: the worst is reported")
      ->type_name("R")
      ->capture_default_str();
  app.add_option("--op", options.op, "Operator of reductions")
      ->capture_default_str()
      ->check(CLI::IsMember(names(operators)));
  app.add_option("--datatype", options.datatype, "Type of the elements")
      ->capture_default_str()
      ->check(CLI::IsMember(names(datatypes)));
  app.add_option("--channel", options.channel, "Which queue carries the lines of a link")
      ->capture_default_str()
      ->check(CLI::IsMember({"line", "boost"}));
  app.add_option("--wait", options.wait, "What a waiting node does")
      ->capture_default_str()
      ->check(CLI::IsMember({"spin", "yield", "park", "auto"}));
  app.add_flag("--check", options.effort.check_all, "Check the result of every call, not only of some");
  app.add_option("--seed", options.seed, "Of the data")->type_name("S")->capture_default_str();
  app.add_option("--against", texts.against,
                 "Contestants to measure in between: std, openmp, naive, by commas")
      ->type_name("LIST");
  app.add_option("--format", texts.format, "How to report")
      ->capture_default_str()
      ->check(CLI::IsMember({"table", "csv", "json"}));
  app.add_option("--output", texts.output, "Report to a file instead of the standard output")
      ->type_name("FILE");
}

std::optional<Rank> parse_root(const std::string& text) {
  if (text == "all") return std::nullopt;
  Rank root = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), root);
  if (error != std::errc{} || end != text.data() + text.size() || root < 0)
    throw UsageError{fmt::format("--root '{}': expected a rank from 0, or all", text)};
  return root;
}

std::vector<std::string> parse_against(const std::string& text) {
  std::vector<std::string> rivals;
  for (std::string& name : CLI::detail::split(text, ',')) {
    if (name.empty()) continue;
    if (name != "std" && name != "openmp" && name != "naive")
      throw UsageError{fmt::format("--against '{}': there are std, openmp and naive", name)};
    rivals.push_back(std::move(name));
  }
  return rivals;
}

void check_sizes(const Options& options) {
  const std::size_t element = size_of(options.datatype_value());
  if (options.min_bytes == 0 || options.min_bytes % element != 0)
    throw UsageError{fmt::format("--min-bytes {}: expected a multiple of the {} bytes of {}",
                                 options.min_bytes, element, options.datatype)};
  if (options.max_bytes < options.min_bytes)
    throw UsageError{
        fmt::format("--max-bytes {} is less than --min-bytes {}", options.max_bytes, options.min_bytes)};
}

void settle(Options& options, const CLI::App& app, const Texts& texts) {
  if (app.count("--nodes") > 0) {
    if (texts.nodes < 1) throw UsageError{fmt::format("--nodes {}: expected at least 1", texts.nodes)};
    options.nodes = texts.nodes;
  }
  if (app.count("--iters") > 0) options.effort.iterations = texts.iterations;
  options.min_bytes = parse_bytes(texts.min_bytes, "--min-bytes");
  options.max_bytes = parse_bytes(texts.max_bytes, "--max-bytes");
  options.root = parse_root(texts.root);
  options.against = parse_against(texts.against);
  options.format = texts.format == "csv"    ? Format::csv
                   : texts.format == "json" ? Format::json
                                            : Format::table;
  if (!texts.output.empty()) options.output = texts.output;
  for (const std::string& name : options.operations) operation(name);
  if (options.operations.empty())
    for (const Operation& known : operations())
      if (known.collective) options.operations.emplace_back(known.name);
  check_sizes(options);
}

}  // namespace

Options parse_command_line(int argc, const char* const* argv) {
  Options options;
  Texts texts;
  CLI::App app{
      "Measures collectives between threads, against other ways to do the same and against the machine's "
      "limits.\nWithout arguments: all collectives, against all contestants, within a minute.",
      "vnode-bench"};
  describe(app, options, texts);
  app.fallthrough();
  const CLI::App* limits =
      app.add_subcommand("limits", "Measure what the machine itself can do between two cores");
  const CLI::App* targets = app.add_subcommand("targets", "Measure what is promised, and say what is kept");
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw Answer{app.help()};
  } catch (const CLI::CallForVersion& version_asked) {
    throw Answer{std::string{version_asked.what()} + '\n'};
  } catch (const CLI::ParseError& error) {
    throw UsageError{fmt::format("{} (vnode-bench --help lists the options)", error.what())};
  }
  if (limits->parsed()) options.command = Command::limits;
  if (targets->parsed()) options.command = Command::targets;
  if (argc == 1) {
    texts.against = "std,openmp,naive";
    options.factor = 4;
  }
  settle(options, app, texts);
  return options;
}

StandardOperator Options::op_value() const {
  return std::ranges::find(operators, op, &Named<StandardOperator>::name)->value;
}

Arithmetic Options::datatype_value() const {
  return std::ranges::find(datatypes, datatype, &Named<Arithmetic>::name)->value;
}

TeamOptions Options::team_options() const {
  TeamOptions team;
  team.channel = channel == "boost" ? ChannelEngine::boost : ChannelEngine::line;
  if (wait == "spin") team.wait = Wait::spin;
  if (wait == "yield") team.wait = Wait::yield;
  if (wait == "park") team.wait = Wait::park;
  return team;
}

std::vector<std::size_t> Options::sizes() const {
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = min_bytes; bytes <= max_bytes; bytes *= factor) {
    sizes.push_back(bytes);
    if (bytes > max_bytes / factor) break;
  }
  return sizes;
}

}  // namespace vnode::bench
