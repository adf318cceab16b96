#include "options/options.hpp"

#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

#include "command_line/command.hpp"
#include "command_line/datatypes.hpp"
#include "repository.hpp"

using namespace vnode;
using namespace vnode::bench;

namespace {

constexpr auto f64 = vnode::Arithmetic::f64;

Options parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "vnode-bench");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

TEST_CASE("without arguments all collectives run against all contestants") {
  const Options options = parse({});
  CHECK(options.operations == std::vector<std::string>{"broadcast", "reduce", "all_gather", "reduce_scatter",
                                                       "all_reduce", "scan", "exclusive_scan", "scatter",
                                                       "gather", "all_to_all", "circular_shift", "barrier"});
  CHECK(options.against == std::vector<std::string>{"std", "openmp", "tbb", "naive"});
  CHECK(options.sizes(f64).front() == 8);
  CHECK(options.sizes(f64).back() == std::size_t{8} << 20);
  CHECK(options.format == Format::summary);
}

TEST_CASE("options say what they mean") {
  const Options options =
      parse({"reduce", "--min-bytes",     "1K",        "--max-bytes", "5K",         "--factor",
             "2",      "--root",          "all",       "--op",        "max",        "--datatype",
             "i8",     "--channel",       "boost",     "--wait",      "park",       "--iters",
             "7",      "--against",       "naive,std", "--format",    "json",       "--nodes",
             "4",      "--topology",      "mesh:2x2",  "--form",      "persistent", "--shift",
             "-3",     "--deterministic", "--mapping", "scatter"});
  CHECK(options.sizes(f64) == std::vector<std::size_t>{1024, 2048, 4096});
  CHECK_FALSE(options.root);
  CHECK(options.ops == std::vector{vnode::StandardOperator::maximum});
  CHECK(options.datatypes == std::vector{vnode::Arithmetic::i8});
  CHECK(options.form == Form::persistent);
  CHECK(options.shift == -3);
  CHECK(options.team_options().channel == vnode::ChannelEngine::boost);
  CHECK(options.team_options().wait == vnode::Wait::park);
  CHECK(options.team_options().deterministic);
  CHECK(options.team_options().mapping == "scatter");
  CHECK(parse({"reduce"}).team_options().mapping == "compact");
  CHECK_FALSE(parse({"reduce"}).team_options().deterministic);
  CHECK(options.effort.iterations == 7);
  CHECK(options.against == std::vector<std::string>{"naive", "std"});
  CHECK(options.mpis.empty());
  const Options one = parse({"--against", "std,mpich,mpi:openmpi"});
  CHECK(one.against == std::vector<std::string>{"std", "mpi"});
  CHECK(one.mpis == std::vector<std::string>{"mpich", "openmpi"});
  CHECK(parse({"--against", "mpich,mpi"}).mpis.empty());
  CHECK(options.format == Format::json);
  CHECK(options.nodes == 4);
  CHECK(parse({"reduce", "--cold", "256K"}).effort.cold == 262144);
  CHECK(parse({"reduce"}).effort.cold == 0);
  CHECK(parse({"reduce", "--nodes-as", "fibers"}).nodes_as == vnode::Nodes::fibers);
  CHECK_FALSE(parse({"reduce"}).nodes_as);
  CHECK(parse({"reduce", "--beside", "4"}).beside == 4);
  CHECK(parse({"limits"}).measured == Measured::limits);
  CHECK(parse({"guidelines"}).measured == Measured::guidelines);
}

TEST_CASE("a cluster is measured without other contestants, and collectives only") {
  CHECK(parse({"reduce", "--cluster", "--nodes", "2"}).measured == Measured::cluster);
  CHECK_THROWS_WITH_AS(parse({"--cluster", "--against", "std"}),
                       "--against does not go with --cluster: leave it out", UsageError);
  CHECK_THROWS_WITH_AS(parse({"send", "--cluster"}), "--cluster measures collectives, not send: leave it out",
                       UsageError);
  CHECK_THROWS_AS(parse({"limits", "--cluster"}), UsageError);
  CHECK_THROWS_AS(parse({"reduce", "--first", "--cluster"}), UsageError);
}

TEST_CASE("banks are a policy of the team's ports, their bandwidth is in 10^9 bytes per second") {
  const Options options = parse({"broadcast", "--banks", "spread", "--bank-bandwidth", "12.5"});
  CHECK(options.team_options().banks == vnode::Banks::spread);
  CHECK(options.bank_bandwidth == 12.5e9);
  CHECK_FALSE(parse({"broadcast"}).team_options().banks);
}

TEST_CASE("with arenas nodes are put in a domain each, unless a mapping is given") {
  const Options options = parse({"all_reduce", "--arenas", "package"});
  CHECK(options.team_options().arenas == vnode::DomainLevel::package);
  CHECK(options.team_options().mapping.empty());
  CHECK(parse({"reduce", "--arenas", "l3", "--mapping", "compact"}).team_options().mapping == "compact");
  CHECK_FALSE(parse({"reduce"}).team_options().arenas);
}

TEST_CASE("nccl-tests' options are the default dialect") {
  const Options options =
      parse({"all_reduce", "-b", "8",    "-e", "128M",  "-f", "4", "-n", "20", "-w", "7", "-c",
             "1",          "-o", "prod", "-d", "float", "-r", "1", "-g", "2",  "-t", "3"});
  CHECK(options.min_bytes == 8);
  CHECK(options.max_bytes == std::size_t{128} << 20);
  CHECK(options.factor == 4);
  CHECK(options.effort.iterations == 20);
  CHECK(options.effort.warmup == 7);
  CHECK(options.effort.checks == 1);
  CHECK(options.effort.loop == Loop::completion);
  CHECK(options.ops == std::vector{vnode::StandardOperator::multiplies});
  CHECK(options.datatypes == std::vector{vnode::Arithmetic::f32});
  CHECK(options.root == 1);
  CHECK(options.nodes == 6);
  const Options longer =
      parse({"--minbytes", "16", "--maxbytes", "64", "--stepbytes", "16", "--iters", "3", "--warmup_iters",
             "2", "--datatype", "uint32", "--nthreads", "2", "--root", "all"});
  CHECK(longer.sizes(vnode::Arithmetic::u32) == std::vector<std::size_t>{16, 32, 48, 64});
  CHECK(longer.datatypes == std::vector{vnode::Arithmetic::u32});
  CHECK(longer.nodes == 2);
  CHECK(parse({"-b", "8", "-e", "40", "-i", "8"}).sizes(f64) == std::vector<std::size_t>{8, 16, 24, 32, 40});
  CHECK(parse({"-o", "all"}).ops.size() == 4);
  CHECK(parse({"-d", "all", "-b", "8"}).datatypes.size() == 15);
  for (const char* name : {"bf16", "bfloat16"})
    CHECK(parse({"-d", name}).datatypes == std::vector{vnode::Arithmetic::bf16});
  for (const char* name : {"f16", "half", "float16"})
    CHECK(parse({"-d", name}).datatypes == std::vector{vnode::Arithmetic::f16});
  CHECK(parse({"-d", "complex_f64"}).sizes(vnode::Arithmetic::complex_f64).front() == 16);
  CHECK(parse({"-d", "all", "-o", "all"}).ops.size() == 4);
  CHECK(parse({"-d", "bf16", "-b", "2"}).sizes(vnode::Arithmetic::bf16).front() == 2);
}

TEST_CASE("manual pages of both programs name every type of elements") {
  for (const std::string file : {"docs/man/vnode.1", "docs/man/vnode-bench.1"}) {
    std::ostringstream read;
    read << std::ifstream(repository() / file).rdbuf();
    const std::string text = read.str();
    for (const std::string_view name : datatypes.names) {
      CAPTURE(file);
      CAPTURE(name);
      const auto found = text.find(name);
      CHECK(found != std::string::npos);
    }
  }
}

TEST_CASE("how many results are checked is a number, or all of them, or one in each lap") {
  CHECK_FALSE(parse({"barrier"}).effort.checks);
  CHECK(parse({"barrier", "-c", "0"}).effort.checks == 0);
  CHECK(parse({"-c5", "barrier"}).effort.checks == 5);
  const Options all = parse({"--check", "barrier"});
  CHECK(all.effort.checks == std::numeric_limits<int>::max());
  CHECK(all.operations == std::vector<std::string>{"barrier"});
  CHECK(parse({"--check", "12"}).effort.checks == 12);
  CHECK(parse({"--check=12"}).effort.checks == 12);
}

TEST_CASE("OSU's options, defaults and loop come with its style") {
  const Options options = parse({"--style", "osu", "all_reduce", "-m", "4:64", "-i", "50", "-x", "5", "-f"});
  CHECK(options.osu);
  CHECK(options.full);
  CHECK(options.effort.loop == Loop::osu);
  CHECK(options.sizes(vnode::Arithmetic::f32) == std::vector<std::size_t>{4, 8, 16, 32, 64});
  CHECK(options.effort_for(1 << 20).iterations == 50);
  CHECK(options.effort_for(1 << 20).warmup == 5);
  const Options usual = parse({"--style=osu", "broadcast"});
  CHECK(usual.datatypes_for(false) == std::vector{vnode::Arithmetic::i8});
  CHECK(usual.datatypes_for(true) == std::vector{vnode::Arithmetic::f32});
  CHECK(usual.sizes(vnode::Arithmetic::i8).front() == 1);
  CHECK(usual.sizes(vnode::Arithmetic::f32).front() == 4);
  CHECK(usual.sizes(vnode::Arithmetic::i8).back() == 1 << 20);
  CHECK(usual.effort_for(8192).iterations == 1000);
  CHECK(usual.effort_for(16384).iterations == 100);
  CHECK(usual.effort_for(16384).warmup == 10);
  CHECK(parse({"--style", "osu", "-m", "128"}).max_bytes == 128);
  CHECK_THROWS_WITH_AS(parse({"--style", "osu", "-b", "8"}),
                       "-b is nccl-tests': with --style osu sizes are -m MIN:MAX", UsageError);
  CHECK_THROWS_WITH_AS(parse({"-m", "8:64"}), doctest::Contains("-m is OSU's: sizes are -b MIN -e MAX"),
                       UsageError);
  CHECK(parse({"--style", "osu", "-m", "2:"}).min_bytes == 2);
  CHECK(parse({"--style", "osu", "-m", "2:"}).max_bytes == 1 << 20);
}

TEST_CASE(
    "options of the other style and of mpirun are answered with what is right, and steps with what they "
    "are") {
  const std::vector<std::pair<std::vector<const char*>, const char*>> mistakes{
      {{"-np", "2"}, "-np is mpirun's: the number of nodes is --nodes P"},
      {{"-x", "10"}, "-x is OSU's: calls before are -w N"},
      {{"--iterations", "5"}, "--iterations is OSU's: calls are -n N"},
      {{"--style", "osu", "-w", "5"},
       "-w is nccl-tests': with --style osu calls are -i N, those before -x N"},
      {{"-i", "100"}, "--step-bytes (calls are --iters) 100 bytes: expected a multiple of the 8 bytes"},
      {{"-b", "0"}, "0 bytes: expected a multiple of the 8 bytes"},
      {{"--output", "x.png"}, "what can be written is table, summary, csv, json, html or svg; rsvg-convert"}};
  for (const auto& [words, sentence] : mistakes)
    CHECK_THROWS_WITH_AS(parse(words), doctest::Contains(sentence), UsageError);
}

TEST_CASE("the name of the output says the form of the report, unless --format does") {
  CHECK(parse({"--output", "x.csv"}).format == Format::csv);
  CHECK(parse({"--output", "x.txt"}).format == Format::table);
  CHECK(parse({"--output", "x", "--format", "json"}).format == Format::json);
  CHECK_THROWS_AS(parse({"--output", "x.csv", "--format", "json"}), UsageError);
}

TEST_CASE("several numbers of nodes are a list, or doubled from one to another") {
  using Counts = std::vector<int>;
  CHECK(parse({"--nodes", "1,2,6"}).scaling == Counts{1, 2, 6});
  CHECK(parse({"--nodes", "1:16"}).scaling == Counts{1, 2, 4, 8, 16});
  CHECK(parse({"--nodes", "3:16"}).scaling == Counts{3, 6, 12, 16});
  CHECK(parse({"--nodes", "4"}).scaling.empty());
  CHECK(parse({"--nodes", "4:4"}).nodes == 4);
  CHECK(parse({"--nodes", "cores"}).nodes == vnode::Machine::discover().allowed_cores());
  CHECK(parse({"all_reduce", "-b", "8", "-e", "8", "--nodes", "1,2", "--format", "svg"}).format ==
        Format::svg);
}

TEST_CASE("what cannot be meant is refused") {
  for (const std::vector<const char*>& arguments :
       std::vector<std::vector<const char*>>{{"frobnicate"},
                                             {"--nodes", "0"},
                                             {"--nodes", "x"},
                                             {"--nodes", "2,"},
                                             {"--nodes", "4,2"},
                                             {"--nodes", "8:4"},
                                             {"--nodes", "1,2", "-g", "2"},
                                             {"all_reduce", "--nodes", "1,2", "--first"},
                                             {"guidelines", "--nodes", "1,2"},
                                             {"--format", "svg"},
                                             {"all_reduce", "--format", "svg", "--nodes", "1,2"},
                                             {"--root", "-1"},
                                             {"--root", "x"},
                                             {"--factor", "1"},
                                             {"--min-bytes", "0"},
                                             {"--min-bytes", "12"},
                                             {"--min-bytes", "1M", "--max-bytes", "1K"},
                                             {"--op", "mean"},
                                             {"--datatype", "f128"},
                                             {"--datatype", "complex_f32", "--op", "max"},
                                             {"--datatype", "complex_f64", "--max-bytes", "8"},
                                             {"--channel", "pipe"},
                                             {"--wait", "sleep"},
                                             {"--banks", "all"},
                                             {"--arenas", "core"},
                                             {"--bank-bandwidth", "5"},
                                             {"--banks", "one", "--bank-bandwidth", "0"},
                                             {"--format", "xml"},
                                             {"--iters", "0"},
                                             {"--against", "nccl"},
                                             {"--form", "asynchronous"},
                                             {"--style", "imb"},
                                             {"-b", "8", "-f", "2", "-i", "8"},
                                             {"-i", "0"},
                                             {"-i", "12"},
                                             {"-m", "8"},
                                             {"-g", "2", "--nodes", "3"},
                                             {"-c", "x"},
                                             {"--check=x"},
                                             {"--style", "osu", "-b", "8"},
                                             {"--style", "osu", "-m", "8:4"},
                                             {"--frobnicate"},
                                             {"--seed", "x"}}) {
    CAPTURE(arguments.front());
    CHECK_THROWS_AS(parse(arguments), vnode::UsageError);
  }
}

TEST_CASE("what measures no operations refuses what only they read, in one sentence") {
  for (const auto& given : std::vector<std::pair<std::vector<const char*>, const char*>>{
           {{"limits", "--trace", "t.json"}, "--trace does not go with limits: leave it out"},
           {{"--schedule", "s.txt", "limits"}, "--schedule does not go with limits: leave it out"},
           {{"guidelines", "--schedule", "s.txt"}, "--schedule does not go with guidelines: leave it out"},
           {{"guidelines", "--algorithm", "broadcast_linear"},
            "--algorithm does not go with guidelines: leave it out"},
           {{"limits", "--nodes-as", "fibers"}, "--nodes-as does not go with limits: leave it out"},
           {{"limits", "--nodes", "3"}, "--nodes does not go with limits: leave it out"},
           {{"limits", "-r", "1"}, "--root does not go with limits: leave it out"},
           {{"limits", "-t", "2"}, "--nthreads does not go with limits: leave it out"},
           {{"guidelines", "-o", "max"}, "--op does not go with guidelines: leave it out"},
           {{"limits", "--style", "osu", "-f"}, "--full does not go with limits: leave it out"}}) {
    CAPTURE(given.second);
    CHECK_THROWS_WITH_AS(parse(given.first), given.second, vnode::UsageError);
  }
  CHECK_THROWS_AS(parse({"limits", "broadcast"}), vnode::UsageError);
  CHECK(parse({"guidelines", "--nodes", "2", "-b", "16", "-e", "64", "-n", "2", "-w", "1"}).nodes == 2);
  CHECK(parse({"limits", "-o", "max", "-d", "i32"}).ops == std::vector{vnode::StandardOperator::maximum});
  CHECK(parse({"guidelines", "--seed", "3", "--output", "f"}).seed == 3);
}

TEST_CASE("help and version are answers") {
  CHECK_THROWS_AS(parse({"--help"}), Answer);
  CHECK_THROWS_AS(parse({"--version"}), Answer);
}
