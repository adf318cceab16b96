#include "command_line/options.hpp"

#include <doctest/doctest.h>

#include <vnode/error.hpp>

using namespace vnode::bench;

namespace {

Options parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "vnode-bench");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

TEST_CASE("without arguments all collectives run against all contestants") {
  const Options options = parse({});
  CHECK(options.operations == std::vector<std::string>{"broadcast", "reduce", "barrier"});
  CHECK(options.against == std::vector<std::string>{"std", "openmp", "naive"});
  CHECK(options.sizes().front() == 8);
  CHECK(options.sizes().back() == std::size_t{8} << 20);
}

TEST_CASE("options say what they mean") {
  const Options options =
      parse({"reduce",   "--min-bytes", "1K",      "--max-bytes", "5K",         "--factor",  "2",
             "--root",   "all",         "--op",    "max",         "--datatype", "i8",        "--channel",
             "boost",    "--wait",      "park",    "--iters",     "7",          "--against", "naive,std",
             "--format", "json",        "--nodes", "4",           "--topology", "mesh:2x2"});
  CHECK(options.sizes() == std::vector<std::size_t>{1024, 2048, 4096});
  CHECK_FALSE(options.root);
  CHECK(options.op_value() == vnode::StandardOperator::maximum);
  CHECK(options.datatype_value() == vnode::Arithmetic::i8);
  CHECK(options.team_options().channel == vnode::ChannelEngine::boost);
  CHECK(options.team_options().wait == vnode::Wait::park);
  CHECK(options.effort.iterations == 7);
  CHECK(options.against == std::vector<std::string>{"naive", "std"});
  CHECK(options.format == Format::json);
  CHECK(options.nodes == 4);
  CHECK(parse({"limits"}).command == Command::limits);
  CHECK(parse({"targets", "--format", "json"}).command == Command::targets);
}

TEST_CASE("what cannot be meant is refused") {
  for (const std::vector<const char*>& arguments :
       std::vector<std::vector<const char*>>{{"frobnicate"},
                                             {"--nodes", "0"},
                                             {"--nodes", "x"},
                                             {"--root", "-1"},
                                             {"--root", "x"},
                                             {"--factor", "1"},
                                             {"--min-bytes", "0"},
                                             {"--min-bytes", "12"},
                                             {"--min-bytes", "1M", "--max-bytes", "1K"},
                                             {"--op", "mean"},
                                             {"--datatype", "f16"},
                                             {"--channel", "pipe"},
                                             {"--wait", "sleep"},
                                             {"--format", "xml"},
                                             {"--iters", "0"},
                                             {"--against", "mpi"},
                                             {"--frobnicate"},
                                             {"--seed", "x"}}) {
    CAPTURE(arguments.front());
    CHECK_THROWS_AS(parse(arguments), vnode::UsageError);
  }
}

TEST_CASE("help and version are answers") {
  CHECK_THROWS_AS(parse({"--help"}), Answer);
  CHECK_THROWS_AS(parse({"--version"}), Answer);
}
