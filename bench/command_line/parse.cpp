#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include <vnode/error.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "command_line/options.hpp"
#include "command_line/own.hpp"
#include "command_line/texts.hpp"
#include "data/element.hpp"
#include "questions/register.hpp"

namespace vnode::bench {
namespace {

std::optional<Rank> parse_root(const std::string& text) {
  if (text == "all") return std::nullopt;
  Rank root = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), root);
  if (error != std::errc{} || end != text.data() + text.size() || root < 0)
    throw UsageError{fmt::format("--root '{}': expected a rank from 0, or all", text)};
  return root;
}

int parse_checks(const std::string& text) {
  if (text == "all") return std::numeric_limits<int>::max();
  int checks = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), checks);
  if (error != std::errc{} || end != text.data() + text.size() || checks < 0)
    throw UsageError{fmt::format("--check '{}': expected a number of calls, or nothing: all", text)};
  return checks;
}

std::vector<std::string> parse_against(const std::string& text) {
  std::vector<std::string> rivals;
  for (std::string& name : CLI::detail::split(text, ',')) {
    if (name.empty()) continue;
    if (std::ranges::find(rival_names(), name) == rival_names().end())
      throw UsageError{fmt::format("--against '{}': there are {}", name, fmt::join(rival_names(), ", "))};
    rivals.push_back(std::move(name));
  }
  return rivals;
}

// nccl-tests' name of a type of ours.
std::string own_name(const std::string& text) {
  if (text == "float") return "f32";
  if (text == "double") return "f64";
  std::string own = text;
  if (text.starts_with("int")) own.erase(1, 2);
  if (text.starts_with("uint")) own.erase(1, 3);
  return own;
}

template <class T, std::size_t count>
std::vector<T> one_or_all(const char* option, const std::string& text,
                          const std::array<Named<T>, count>& table) {
  std::vector<T> all;
  std::vector<std::string_view> names;
  for (const Named<T>& row : table) {
    names.push_back(row.name);
    if (text == "all" || own_name(text) == row.name) all.push_back(row.value);
  }
  if (all.empty())
    throw UsageError{fmt::format("{} '{}': there are {}, all", option, text, fmt::join(names, ", "))};
  return all;
}

// OSU's [MIN:]MAX.
void parse_message_size(const std::string& text, Texts& texts) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    texts.max_bytes = text;
  } else {
    texts.min_bytes = text.substr(0, colon);
    if (colon + 1 < text.size()) texts.max_bytes = text.substr(colon + 1);
  }
}

void settle_sizes(Options& options, Texts& texts) {
  if (!texts.message_size.empty()) parse_message_size(texts.message_size, texts);
  options.min_bytes = parse_bytes(texts.min_bytes, "--min-bytes");
  options.max_bytes = parse_bytes(texts.max_bytes, "--max-bytes");
  if (options.max_bytes < options.min_bytes)
    throw UsageError{
        fmt::format("--max-bytes {} is less than --min-bytes {}", options.max_bytes, options.min_bytes)};
  if (!texts.step_bytes.empty()) {
    options.step = parse_bytes(texts.step_bytes, "--step-bytes");
    if (options.step == 0) throw UsageError{"--step-bytes 0: sizes would never grow"};
  }
  for (const Arithmetic datatype : options.osu ? options.datatypes : options.datatypes_for(true)) {
    const std::size_t element = size_of(datatype);
    for (const std::size_t bytes : {options.sizes(datatype).front(), options.step})
      if (bytes % element != 0 || options.min_bytes == 0)
        throw UsageError{fmt::format("{}: expected a multiple of the {} of {}", counted(bytes, "byte"),
                                     counted(element, "byte"), name_of(datatypes, datatype))};
  }
}

void settle_nodes(Options& options, const CLI::App& app, const Texts& texts) {
  if (app.count("--nodes") > 0) {
    if (texts.nodes < 1) throw UsageError{fmt::format("--nodes {}: expected at least 1", texts.nodes)};
    options.nodes = texts.nodes;
  }
  if (options.osu || app.count("-t") + app.count("-g") == 0) return;
  const int product = texts.threads * texts.gpus;
  if (options.nodes && *options.nodes != product)
    throw UsageError{
        fmt::format("--nodes {} is not -t {} times -g {}", *options.nodes, texts.threads, texts.gpus)};
  options.nodes = product;
}

// A trace is of one call.
void check_traceable(const Options& options) {
  const Operation& first = operation(options.operations.front());
  const std::size_t algorithms = options.algorithm == "all" ? 2 : 1;
  const auto elements = options.datatypes_for(first.combining);
  if (options.operations.size() > 1 || !first.collective ||
      (first.sized && options.sizes(elements.front()).size() > 1) || algorithms > 1 || !options.root ||
      elements.size() > 1 || (first.combining && options.ops.size() > 1))
    throw UsageError{
        "--trace is of one call: name one collective, one size (-b 64K -e 64K), one root, one algorithm, one "
        "operator and type"};
}

void settle(Options& options, const CLI::App& app, Texts& texts) {
  options.effort.loop = options.osu ? Loop::osu : Loop::completion;
  if (app.count("--iters") > 0) options.effort.iterations = texts.iterations;
  if (app.count("--warmup") > 0) options.warmup = texts.warmup;
  options.effort.warmup = texts.warmup;
  if (!texts.checks.empty()) options.effort.checks = parse_checks(texts.checks);
  options.root = parse_root(texts.root);
  options.against = parse_against(texts.against);
  options.ops = one_or_all("--op", texts.op, operators);
  if (!texts.datatype.empty()) options.datatypes = one_or_all("--datatype", texts.datatype, datatypes);
  settle_sizes(options, texts);
  settle_nodes(options, app, texts);
  if (!texts.banks.empty()) options.banks = parse_banks(texts.banks);
  if (!texts.arenas.empty()) {
    options.arenas = parse_domain_level(texts.arenas);
    if (app.count("--mapping") == 0) options.mapping.clear();  // a node in each domain
  }
  if (texts.bank_bandwidth > 0) options.bank_bandwidth = texts.bank_bandwidth * 1e9;
  options.form = texts.form == "nonblocking"  ? Form::nonblocking
                 : texts.form == "persistent" ? Form::persistent
                                              : Form::blocking;
  options.format = texts.format == "csv"       ? Format::csv
                   : texts.format == "json"    ? Format::json
                   : texts.format == "summary" ? Format::summary
                                               : Format::table;
  if (!texts.output.empty()) options.output = texts.output;
  if (!texts.schedule.empty()) options.own = read_own(texts.schedule);
  if (app.count("--trace") > 0) options.trace = texts.trace;
  for (const std::string& name : options.operations) operation(name);
  if (options.operations.empty())
    for (const Operation& known : operations())
      if (known.collective && !known.varying) options.operations.emplace_back(known.name);
  if (options.own != nullptr && options.operations.size() > 1)
    throw UsageError{"--schedule: name the one collective that the schedule is for"};
  if (options.trace) check_traceable(options);
}

/// What is measured that is no operation.
struct Measurement {
  const char* name;
  Command command;
  const char* what;
  std::vector<std::string> reads;  ///< the options that go with it, by their long names
};

const std::vector<Measurement>& measurements() {
  static const std::vector<Measurement> all = [] {
    const std::vector<std::string> common{"iters", "warmup", "check",  "channel",
                                          "wait",  "format", "output", "style"};
    const std::vector<std::string> sizes{"min-bytes", "max-bytes", "step-bytes", "message-size"};
    const auto with = [](std::vector<std::string> names, const std::vector<std::string>& more) {
      names.insert(names.end(), more.begin(), more.end());
      return names;
    };
    return std::vector<Measurement>{
        {"limits", Command::limits, "Measure what the machine itself can do between two cores",
         with(common, {"op", "datatype"})},
        {"targets", Command::targets, "Measure what is promised, and say what is kept",
         with(with(common, sizes), {"seed"})},
        {"guidelines", Command::guidelines, "Measure whether operations are consistent with each other",
         with(with(common, sizes),
              {"factor", "seed", "nodes", "nthreads", "ngpus", "topology", "deterministic"})}};
  }();
  return all;
}

// An option that a measurement does not read is a mistake.
void refuse_unread(const Measurement& measurement, const CLI::App& app) {
  for (const CLI::Option* const option : app.get_options()) {
    if (option->count() == 0) continue;
    if (option->get_positional())
      throw UsageError{fmt::format("{} {}: {} measures no operations that have a name: leave it out",
                                   measurement.name, option->results().front(), measurement.name)};
    const std::vector<std::string>& names = option->get_lnames();
    if (std::ranges::none_of(names, [&](const std::string& name) {
          return std::ranges::find(measurement.reads, name) != measurement.reads.end();
        }))
      throw UsageError{fmt::format("--{} does not go with {}: leave it out", names.back(), measurement.name)};
  }
}

}  // namespace

Options parse_command_line(int argc, const char* const* argv) {
  Options options;
  Texts texts;
  std::vector<std::string> arguments = spelled_out(argc, argv);
  options.osu = osu_style(arguments);
  if (options.osu) texts.min_bytes = "1", texts.max_bytes = "1M";
  CLI::App app{
      "Measures collectives between threads, against other ways to do the same and against the machine's "
      "limits.\nWithout arguments: all collectives, against all contestants but MPI, in some minutes.",
      "vnode-bench"};
  describe(app, options.osu, options, texts);
  app.fallthrough();
  for (const Measurement& known : measurements()) app.add_subcommand(known.name, known.what);
  app.require_subcommand(0, 1);
  std::ranges::reverse(arguments);  // as CLI11 wants them
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    throw Answer{app.help()};
  } catch (const CLI::CallForVersion& version_asked) {
    throw Answer{std::string{version_asked.what()} + '\n'};
  } catch (const CLI::ParseError& error) {
    throw UsageError{fmt::format("{} (vnode-bench --help lists the options)", error.what())};
  }
  for (const Measurement& known : measurements())
    if (app.got_subcommand(known.name)) {
      options.command = known.command;
      refuse_unread(known, app);
    }
  // There are many of these questions.
  if (options.command == Command::guidelines && app.count("--factor") == 0) options.factor = 4;
  if (argc == 1) {
    texts.against = "std,openmp,tbb,naive";
    texts.format = "summary";
    options.factor = 16;
  }
  settle(options, app, texts);
  return options;
}

}  // namespace vnode::bench
