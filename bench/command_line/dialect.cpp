#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

#include <vnode/lab/mapping_policy.hpp>
#include <vnode/version.hpp>

#include "command_line/texts.hpp"
#include "data/element.hpp"
#include "questions/register.hpp"

namespace vnode::bench {
namespace {

template <class Table>
std::vector<std::string> names(const Table& table) {
  std::vector<std::string> all;
  for (const auto& row : table) all.emplace_back(row.name);
  return all;
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char letter) { return std::isdigit(letter) != 0; });
}

void describe_common(CLI::App& app, Options& options, Texts& texts) {
  app.add_option("collectives", options.operations,
                 fmt::format("What to measure: {}. Without any: all collectives",
                             fmt::join(names(operations()), ", ")))
      ->type_name("");
  app.add_option("--style", texts.style, "Whose short options, defaults and tables")
      ->capture_default_str()
      ->check(CLI::IsMember({"nccl", "osu"}));
  app.add_option("--nodes", texts.nodes, "Virtual nodes [max(2, min(cores, 64))]")->type_name("P");
  app.add_option("--topology", options.topology, "ring, array, mesh:4x4, torus:2x3x4, hypercube, tree, full")
      ->type_name("T")
      ->capture_default_str();
  app.add_option("--algorithm", options.algorithm,
                 "auto (least cost), all, or a name such as broadcast_binomial")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option(
         "--hierarchy", options.hierarchy,
         "Domains of near nodes for hierarchical algorithms: 4x8, lists as 0-3,4-7, or l3, numa, package of "
         "this machine; then ,inner=NAME ,outer=NAME ,form=leaders|slices")
      ->type_name("H");
  app.add_option("--schedule", texts.schedule,
                 "A schedule of your own, in the text form that `vnode show` prints, to measure beside them")
      ->type_name("FILE");
  app.add_option(
         "--trace", texts.trace,
         "Also write a trace of one call, for Perfetto or chrome://tracing: of one operation, one size "
         "and one algorithm, the median of 33 calls after the measurement")
      ->type_name("FILE");
  app.add_option("--form", texts.form, "How vnode's operations are called")
      ->capture_default_str()
      ->check(CLI::IsMember({"blocking", "nonblocking", "persistent"}));
  app.add_option("--shift", options.shift, "Of circular shifts, of either sign")
      ->type_name("Q")
      ->capture_default_str();
  app.add_option("--channel", options.channel, "Which queue carries the lines of a link")
      ->capture_default_str()
      ->check(CLI::IsMember({"line", "boost"}));
  app.add_option("--wait", options.wait, "What a waiting node does")
      ->capture_default_str()
      ->check(CLI::IsMember({"spin", "yield", "park", "auto"}));
  app.add_option("--mapping", options.mapping,
                 fmt::format("Which PUs vnode's nodes run on: {}, or a PU for each as 0,2,8-11",
                             fmt::join(names(mapping_policies()), ", ")))
      ->type_name("NAME|LIST")
      ->capture_default_str();
  app.add_option("--banks", texts.banks,
                 "Which bank the buffers of a node's port lie on, and the piece of each vector that goes "
                 "through it")
      ->check(CLI::IsMember({"owner", "peer", "spread", "interleave", "one"}));
  app.add_option("--bank-bandwidth", texts.bank_bandwidth,
                 "Of each bank, in 10^9 bytes per second: with it, how much slower memory makes a round")
      ->type_name("GB/S")
      ->check(CLI::Range(1e-6, 1e6))
      ->needs("--banks");
  app.add_option("--arenas", texts.arenas,
                 "vnode's nodes have threads on their share of a domain, who help with large messages")
      ->check(CLI::IsMember({"l3", "numa", "package"}));
  app.add_flag("--deterministic", options.deterministic,
               "vnode combines by one expression, whatever the algorithm: the same bits always");
  app.add_option("--seed", options.seed, "Of the data")->type_name("S")->capture_default_str();
  app.add_option(
         "--against", texts.against,
         fmt::format("Contestants to measure in between: {}, by commas", fmt::join(rival_names(), ", ")))
      ->type_name("LIST");
  app.add_option("--format", texts.format, "How to report")
      ->capture_default_str()
      ->check(CLI::IsMember({"table", "summary", "csv", "json"}));
  app.add_option("--output", texts.output, "Report to a file instead of the standard output")
      ->type_name("FILE");
}

// Options that both dialects have, under `short_name` in one of them: "-b,--minbytes," or nothing.
class Dialect {
 public:
  Dialect(CLI::App& app, bool osu) : app_(app), osu_(osu) {}

  template <class Variable>
  CLI::Option* option(const char* nccl, const char* osu, const char* name, Variable& variable,
                      const std::string& what) {
    return app_.add_option(std::string{osu_ ? osu : nccl} + name, variable, what);
  }

 private:
  CLI::App& app_;
  const bool osu_;
};

void describe_measuring(CLI::App& app, bool osu, Options& options, Texts& texts) {
  Dialect dialect{app, osu};
  dialect
      .option("-b,--minbytes,", "", "--min-bytes", texts.min_bytes,
              "Smallest m; K, M and G are powers of 1024")
      ->type_name("N")
      ->capture_default_str();
  dialect.option("-e,--maxbytes,", "", "--max-bytes", texts.max_bytes, "Largest m")
      ->type_name("N")
      ->capture_default_str();
  auto* factor =
      dialect.option("-f,--stepfactor,", "", "--factor", options.factor, "From one size to the next")
          ->type_name("N")
          ->capture_default_str()
          ->check(CLI::Range(2, 1 << 20));
  dialect.option("-i,--stepbytes,", "", "--step-bytes", texts.step_bytes, "From one size to the next, added")
      ->type_name("N")
      ->excludes(factor);
  dialect
      .option("-n,", "-i,--iterations,", "--iters", texts.iterations,
              "Calls of each contestant that count [what 0.4 s allow; osu: 1000, 100 of large messages]")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 24));
  dialect
      .option("-w,--warmup_iters,", "-x,", "--warmup", texts.warmup,
              "Calls of each contestant before [osu: 200, 10 of large messages]")
      ->type_name("N")
      ->capture_default_str()
      ->check(CLI::Range(0, 1 << 24));
  app.add_flag("-c{all},--check{all}", texts.checks,
               "The result of every call is checked, or of N calls of each contestant [one a lap]")
      ->type_name("[N]");
  dialect.option("-r,", "", "--root", texts.root, "The root, or all: the worst is reported")
      ->type_name("R")
      ->capture_default_str();
  dialect
      .option("-o,", "", "--op", texts.op,
              fmt::format("Operator of reductions: {}, all", fmt::join(names(operators), ", ")))
      ->type_name("OPERATOR")
      ->capture_default_str();
  dialect
      .option("-d,", "", "--datatype", texts.datatype,
              fmt::format("Type of the elements: {}, nccl-tests' names of them, all [f64; osu: f32, i8 where "
                          "nothing is combined]",
                          fmt::join(names(datatypes), ", ")))
      ->type_name("TYPE");
}

}  // namespace

std::vector<std::string> spelled_out(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool alone = argument == "-c" || argument == "--check";
    if (alone && i + 1 < argc && is_number(argv[i + 1]))
      arguments.push_back(fmt::format("--check={}", argv[++i]));
    else if (argument.starts_with("-c") && is_number(argument.substr(2)))
      arguments.push_back("--check=" + argument.substr(2));
    else
      arguments.push_back(argument);
  }
  return arguments;
}

bool osu_style(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--style=osu" ||
        (arguments[i] == "--style" && i + 1 < arguments.size() && arguments[i + 1] == "osu"))
      return true;
  return false;
}

void describe(CLI::App& app, bool osu, Options& options, Texts& texts) {
  app.set_version_flag("--version", fmt::format("vnode-bench {}", version()));
  describe_common(app, options, texts);
  describe_measuring(app, osu, options, texts);
  if (osu) {
    app.add_option("-m,--message-size", texts.message_size, "Sizes: MIN:MAX, MIN: or MAX")
        ->type_name("[MIN:]MAX");
    app.add_flag("-f,--full", options.full, "Least and greatest means of a rank, and iterations, too");
  } else {
    app.add_option("-t,--nthreads", texts.threads, "With -g: virtual nodes are the product")
        ->type_name("N")
        ->check(CLI::Range(1, 1 << 16));
    app.add_option("-g,--ngpus", texts.gpus, "See -t")->type_name("N")->check(CLI::Range(1, 1 << 16));
  }
}

}  // namespace vnode::bench
