#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <span>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "base/bytes.hpp"
#include "command_line/command.hpp"
#include "command_line/form.hpp"
#include "commands/selection.hpp"
#include "data/element.hpp"
#include "mpi/peers.hpp"
#include "options/measurements.hpp"
#include "options/options.hpp"
#include "questions/register.hpp"

namespace vnode::bench {
namespace {

template <class Value>
Choices<Value> choices_of(std::span<const Value> values) {
  Choices<Value> choices;
  for (const Value value : values) choices.emplace_back(enums::name(value), value);
  return choices;
}

template <class Table>
std::string names_of(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& row : table) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

/// Returns the arguments, with what --check means where it has no number of its own.
std::vector<std::string> spelled_out(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if ((arguments[i] == "-c" || arguments[i] == "--check") &&
        !(i + 1 < arguments.size() && is_number(arguments[i + 1])))
      arguments[i] = "--check=all";
  return arguments;
}

/// Tells whether `--style osu` is among them: it decides what the short options mean.
bool osu_style(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--style=osu" ||
        (arguments[i] == "--style" && i + 1 < arguments.size() && arguments[i + 1] == "osu"))
      return true;
  return false;
}

int parse_count(const std::string& text, const char* option, const char* expected) {
  int count = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 0)
    throw UsageError{fmt::format("{} '{}': expected {}", option, text, expected)};
  return count;
}

std::vector<StandardOperator> parse_operators(const std::string& text) {
  std::vector<StandardOperator> all;
  for (const NamedOperator& row : operators)
    if (text == "all" || text == row.name) all.push_back(row.value);
  if (all.empty())
    throw UsageError{fmt::format("--op '{}': there are {}, all{}", text, names_of(operators),
                                 text.find('.') == std::string::npos ? "" : "; a file goes to --output")};
  return all;
}

std::vector<Arithmetic> parse_datatypes(const std::string& text) {
  if (text == "all") return {datatypes.values.begin(), datatypes.values.end()};
  if (const auto found = find_datatype(text)) return {*found};
  throw UsageError{fmt::format("--datatype '{}': there are {}, all", text, fmt::join(datatypes.names, ", "))};
}

const Choices<Format> report_formats{{"table", Format::table}, {"summary", Format::summary},
                                     {"csv", Format::csv},     {"json", Format::json},
                                     {"html", Format::html},   {"svg", Format::svg}};

/// Holds what the command line says that is not an option's own value.
struct Said {
  std::optional<Format> format;
  bool first_calls = false, cluster = false;
  std::optional<int> threads, gpus;
  bool factor = false;
  std::string message_size, schedule;
};

void describe_teams(const Command& program, Options& options, Said& said) {
  program
      .option(
          "--nodes", [&options](const std::string& text) { take_nodes(options, text); },
          "Virtual nodes; or 1,2,6, 1:16 (1,2,4,8,16) or 1:cores, to compare them [max(2, min(cores, 64))]")
      .type_name("P");
  program
      .option("--topology", into(options.topology),
              "ring, array, mesh:4x4, torus:2x3x4, hypercube, tree, full")
      .type_name("T")
      .usual(options.topology);
  program
      .option("--algorithm", into(options.algorithm),
              "auto (least cost), all, or a name such as broadcast_binomial")
      .type_name("NAME")
      .usual(options.algorithm);
  const Command team = program.group("vnode's teams");
  team.choice<Nodes>("--nodes-as", choices_of(all_nodes()), into(options.nodes_as),
                     "What vnode's nodes run as [threads; fibers where there are more of them than PUs]");
  team.option(
          "--hierarchy", into(options.hierarchy),
          "Domains of near nodes for hierarchical algorithms: 4x8, lists as 0-3,4-7, or l3, numa, package; "
          "of a cluster machine, process; then ,inner=NAME ,outer=NAME ,form=leaders|slices")
      .type_name("H");
  team.option("--schedule", into(said.schedule),
              "A schedule of your own, in the text form that `vnode show` prints, to measure beside them")
      .type_name("FILE");
  team.choice(
      "--form",
      {{"blocking", Form::blocking}, {"nonblocking", Form::nonblocking}, {"persistent", Form::persistent}},
      options.form, "How vnode's operations are called");
  team.whole("--shift", {.least = -std::numeric_limits<int>::max()}, into(options.shift),
             "Of circular shifts, of either sign")
      .type_name("Q")
      .usual("1");
  team.choice("--channel", {{"line", "line"}, {"boost", "boost"}}, options.channel,
              "Which queue carries the lines of a link");
  team.choice("--wait", choices_of(waits()), options.wait, "What a waiting node does");
  team.option("--mapping", into(options.mapping),
              fmt::format("Which PUs vnode's nodes run on: {}, or a PU for each as 0,2,8-11",
                          names_of(mapping_policies())))
      .type_name("NAME|LIST")
      .usual("compact");
  team.choice<Banks>(
      "--banks", choices_of(all_banks()), into(options.banks),
      "Which bank the buffers of a node's port lie on, and the piece of each vector that goes through it");
  team.decimal(
          "--bank-bandwidth", {.least = 1e-6, .most = 1e6},
          [&options](double giga) { options.bank_bandwidth = giga * 1e9; },
          "Of each bank, in 10^9 bytes per second: with it, how much slower memory makes a round")
      .type_name("GB/S")
      .needs("--banks");
  team.choice<DomainLevel>(
      "--arenas", choices_of(domain_levels()), into(options.arenas),
      "vnode's nodes have threads on their share of a domain, who help with large messages");
  team.flag("--deterministic", options.deterministic,
            "vnode combines by one expression, whatever the algorithm: the same bits always");
}

void describe_reports(const Command& program, Options& options, Said& said) {
  const Command measured = program.group("Measurement"), output = program.group("Output");
  measured.flag("--first", said.first_calls,
                "Measure first calls, which make their plans, of vnode's teams started anew, -n of them [5]");
  measured.flag(
      "--cluster", said.cluster,
      "Measure a vnode::Cluster of processes that mpirun starts, one for each of its nodes, beside the "
      "same MPI's own collectives among all of them; --nodes is of each of its processes [all of a "
      "machine]");
  output
      .option("--trace", into(options.trace),
              "Also write a trace of one call, for Perfetto or chrome://tracing: of one operation, one size "
              "and one algorithm, the median of 33 calls after the measurement")
      .type_name("FILE");
  measured
      .option(
          "--cold",
          [&options](const std::string& text) {
            options.effort.cold = parse_bytes(text, "--cold");
            if (options.effort.cold == 0)
              throw UsageError{
                  "--cold 0: a walk of no bytes evicts nothing; without --cold calls are back to back"};
          },
          "Before each timed call every thread walks a buffer of N bytes of its own: 256K evicts an L1d; "
          "without it calls are back to back")
      .type_name("N");
  measured
      .whole("--beside", {.least = 1, .most = 1024}, into(options.beside),
             "So many processes of another program compute beside the measurement, on any of the cores")
      .type_name("N");
  measured.whole<std::uint64_t>("--seed", {}, into(options.seed), "Of the data").type_name("S").usual("1");
  program
      .option(
          "--against", [&options](const std::string& text) { take_against(options, text); },
          fmt::format("Contestants to measure in between, by commas: {}; instead of mpi, which is both, {}",
                      fmt::join(rival_names(), ", "), fmt::join(mpi_names, ", ")))
      .type_name("LIST");
  output.choice<Format>("--format", report_formats, into(said.format),
                        "How to report (default: as --output ends, or table)");
  output.option("--output", into(options.output), "Report to a file instead of the standard output")
      .type_name("FILE");
}

// Adds the options of both dialects, in each under short names of its own: "-b,--minbytes,", or nothing.
void describe_measuring(const Command& program, Options& options, Said& said) {
  const auto named = [&](const char* nccl, const char* osu, const char* name) {
    return std::string{options.osu ? osu : nccl} + name;
  };
  constexpr int most_calls = 1 << 24;
  const Command measured = program.group("Measurement"), data = program.group("Data");
  program
      .option(
          named("-b,--minbytes,", "", "--min-bytes"),
          [&options](const std::string& text) { options.min_bytes = parse_bytes(text, "--min-bytes"); },
          "Smallest m; K, M and G are powers of 1024")
      .type_name("N")
      .usual(bytes_text(options.min_bytes));
  program
      .option(
          named("-e,--maxbytes,", "", "--max-bytes"),
          [&options](const std::string& text) { options.max_bytes = parse_bytes(text, "--max-bytes"); },
          "Largest m")
      .type_name("N")
      .usual(bytes_text(options.max_bytes));
  program
      .whole(
          named("-f,--stepfactor,", "", "--factor"), {.least = 2, .most = 1 << 20},
          [&](int factor) {
            options.factor = static_cast<std::size_t>(factor);
            said.factor = true;
          },
          "From one size to the next")
      .type_name("N")
      .usual("2");
  program
      .option(
          named("-i,--stepbytes,", "", "--step-bytes"),
          [&options](const std::string& text) {
            options.step = parse_bytes(text, "--step-bytes");
            if (options.step == 0) throw UsageError{"--step-bytes 0: sizes would never grow"};
          },
          "From one size to the next, added")
      .type_name("N")
      .excludes("--factor");
  program
      .whole(named("-n,", "-i,--iterations,", "--iters"), {.least = 1, .most = most_calls},
             into(options.effort.iterations),
             "Calls of each contestant that count [what 0.4 s allow; osu: 1000, 100 of large messages]")
      .type_name("N");
  measured
      .whole(named("-w,--warmup_iters,", "-x,", "--warmup"), {.most = most_calls}, into(options.warmup),
             "Calls of each contestant before [osu: 200, 10 of large messages]")
      .type_name("N")
      .usual(fmt::to_string(options.effort.warmup));
  measured
      .option(
          "-c,--check",
          [&options](const std::string& text) {
            options.effort.checks = text == "all"
                                        ? std::numeric_limits<int>::max()
                                        : parse_count(text, "--check", "a number of calls, or nothing: all");
          },
          "The result of every call is checked, or of N calls of each contestant [one a lap]")
      .type_name("[N]");
  data.option(
          named("-r,", "", "--root"),
          [&options](const std::string& text) {
            options.root = text == "all"
                               ? std::nullopt
                               : std::optional{parse_count(text, "--root", "a rank from 0, or all")};
          },
          "The root, or all: the worst is reported")
      .type_name("R")
      .usual("0");
  data.option(
          named("-o,", "", "--op"),
          [&options](const std::string& text) { options.ops = parse_operators(text); },
          fmt::format("Operator of reductions: {}, all", names_of(operators)))
      .type_name("OPERATOR")
      .usual("sum");
  data.option(
          named("-d,", "", "--datatype"),
          [&options](const std::string& text) { options.datatypes = parse_datatypes(text); },
          fmt::format("Type of the elements: {}, nccl-tests' names of them, all [f64; osu: f32, i8 where "
                      "nothing is combined]",
                      fmt::join(datatypes.names, ", ")))
      .type_name("TYPE");
  if (options.osu) {
    program.option("-m,--message-size", into(said.message_size), "Sizes: MIN:MAX, MIN: or MAX")
        .type_name("[MIN:]MAX");
    program.flag("-f,--full", options.full, "Least and greatest means of a rank, and iterations, too");
  } else {
    program
        .whole("-t,--nthreads", {.least = 1, .most = 1 << 16}, into(said.threads),
               "With -g: virtual nodes are the product")
        .type_name("N");
    program.whole("-g,--ngpus", {.least = 1, .most = 1 << 16}, into(said.gpus), "See -t").type_name("N");
  }
}

// Reads OSU's [MIN:]MAX.
void take_message_size(Options& options, const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon != text.npos) options.min_bytes = parse_bytes(text.substr(0, colon), "--min-bytes");
  const std::string most = text.substr(colon + 1);  // all of it, if there is no colon
  if (!most.empty()) options.max_bytes = parse_bytes(most, "--max-bytes");
}

void settle(Options& options, const Said& said) {
  options.effort.loop = options.osu ? Loop::osu : Loop::completion;
  options.effort.warmup = options.warmup.value_or(options.effort.warmup);
  take_message_size(options, said.message_size);
  if (said.threads || said.gpus) {
    const int product = said.threads.value_or(1) * said.gpus.value_or(1);
    if (options.nodes && *options.nodes != product)
      throw UsageError{fmt::format("--nodes {} is not -t {} times -g {}", *options.nodes,
                                   said.threads.value_or(1), said.gpus.value_or(1))};
    options.nodes = product;
  }
  check_sizes(options);
  check_operators(options);
  if (!said.schedule.empty()) options.own = read_own(said.schedule);
  for (const std::string& name : options.operations) operation(name);
  if (options.operations.empty())
    for (const Operation& known : operations())
      if (known.collective && !known.varying) options.operations.emplace_back(known.name);
  if (options.own != nullptr && options.operations.size() > 1)
    throw UsageError{"--schedule: name the one collective that the schedule is for"};
  if (options.trace) check_traceable(options);
  check_scaling(options);
  if (options.measured == Measured::cluster)
    for (const std::string& name : options.operations)
      if (!operation(name).collective)
        throw UsageError{fmt::format("--cluster measures collectives, not {}: leave it out", name)};
}

}  // namespace

Options parse_command_line(int argc, const char* const* argv) {
  std::vector<std::string> arguments = spelled_out(argc, argv);
  Options options;
  Said said;
  options.osu = osu_style(arguments);
  if (options.osu) options.min_bytes = 1, options.max_bytes = std::size_t{1} << 20;
  refuse_others(arguments, options.osu);
  // Defaults where there are no arguments.
  if (arguments.empty()) {
    take_against(options, "std,openmp,tbb,naive");
    options.factor = 16;
  }
  const CommandLine program(
      "vnode-bench",
      "Measures collectives between threads, against other ways to do the same and against the machine's "
      "limits.\nWithout arguments: all collectives, against all contestants but MPI, in some minutes. "
      "`man vnode-bench` says more.");
  program
      .list("collectives", options.operations,
            fmt::format("What to measure: {}. Without any: all collectives", names_of(operations())))
      .type_name("");
  program.choice<bool>("--style", {{"nccl", false}, {"osu", true}}, into(options.osu),
                       "Whose short options and defaults: nccl-tests', with vnode's own table, or OSU's, "
                       "with theirs (default: nccl)");
  describe_teams(program, options, said);
  describe_measuring(program, options, said);
  describe_reports(program, options, said);
  for (const OtherMeasurement& known : other_measurements()) program.command(known.name, known.what);
  program.examples(
      {{options.osu ? "vnode-bench --style osu all_reduce --nodes 2 -m 8:1M"
                    : "vnode-bench all_reduce --nodes 2 -b 8 -e 1M",
        "one operation, beside the machine's limits"},
       {"vnode-bench broadcast --nodes 8 --against std,openmp --algorithm all",
        "its algorithms, beside others"},
       {"vnode-bench barrier --nodes 1:cores --format html --output scaling.html", "over numbers of nodes"},
       {"vnode-bench limits", "what the machine itself can do"}});
  program.options_anywhere();
  program.read(arguments);
  for (const OtherMeasurement& known : other_measurements())
    if (program.command_asked() == known.name) {
      options.measured = known.measured;
      refuse_unread(known, program.given());
    }
  if (said.first_calls) {
    options.measured = Measured::first_calls;
    refuse_with_first(program.given());
  }
  if (said.cluster) {
    if (options.measured != Measured::operations)
      throw UsageError{"--cluster measures collectives, without limits, guidelines and --first"};
    options.measured = Measured::cluster;
    refuse_with_cluster(program.given());
  }
  // There are many of these questions.
  if (options.measured == Measured::guidelines && !said.factor) options.factor = 4;
  options.format = form_of(report_formats, said.format, arguments.empty() ? Format::summary : Format::table,
                           options.output);
  settle(options, said);
  return options;
}

}  // namespace vnode::bench
