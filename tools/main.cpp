#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <string>
#include <system_error>

#include <vnode/error.hpp>
#include <vnode/version.hpp>

#include "algorithms/algorithms.hpp"
#include "calibrate/calibrate.hpp"
#include "compare/compare.hpp"
#include "cost/cost.hpp"
#include "draw/draw.hpp"
#include "explain.hpp"
#include "map/map.hpp"
#include "options/command.hpp"
#include "place/place.hpp"
#include "show.hpp"
#include "simulate/simulate.hpp"
#include "topo/topo.hpp"
#include "verify/verify.hpp"

namespace {

constexpr int failure = 1, refusal = 2;

std::string called(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* command : app.get_subcommands()) name += ' ' + command->get_name();
  return name;
}

// "topo, algorithms or verify".
std::string commands(const CLI::App& app) {
  std::string text;
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : all)
    text += (text.empty() ? "" : command == all.back() ? " or " : ", ") + command->get_name();
  return text;
}

int run(int argc, char** argv) {
  CLI::App app{"Look at machines, at collective algorithms, and at the proof that they are right", "vnode"};
  app.set_version_flag("--version", fmt::format("vnode {}", vnode::version()));
  bool verified = true;
  const vnode::Command program(app);
  vnode::add_topo(program);
  vnode::add_algorithms(program);
  vnode::add_verify(program, verified);
  vnode::add_show(program);
  vnode::add_explain(program);
  vnode::add_cost(program);
  vnode::add_simulate(program);
  vnode::add_draw(program);
  vnode::add_map(program);
  vnode::add_place_experiments(program);
  vnode::add_calibrate(program);
  vnode::add_compare(program);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty())
      throw vnode::UsageError(fmt::format("a command is missing: {} (see vnode --help)", commands(app)));
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
  } catch (const CLI::ParseError& error) {
    throw vnode::UsageError(fmt::format("{} (see {} --help)", error.what(), called(app)));
  }
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "standard output");
  return verified ? 0 : failure;
}

}  // namespace

int main(int argc, char** argv) try {
  // What is wrong with a machine is told by our own sentences, unless somebody asks for hwloc's.
  setenv("HWLOC_HIDE_ERRORS", "2", 0);
  return run(argc, argv);
} catch (const std::system_error& error) {
  if (error.code() != std::errc::broken_pipe) fmt::print(stderr, "vnode: {}\n", error.what());
  return refusal;
} catch (const std::bad_alloc&) {
  fmt::print(stderr, "vnode: there is not enough memory for this: ask for fewer nodes\n");
  return refusal;
} catch (const std::exception& error) {
  fmt::print(stderr, "vnode: {}\n", error.what());
  return refusal;
}
