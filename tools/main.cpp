#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <vector>

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
#include "terminal/program.hpp"
#include "topo/topo.hpp"
#include "verify/verify.hpp"

namespace {

constexpr int failure = 1;

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

[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  throw vnode::UsageError(fmt::format("{} (see {} --help)", error.what(), called(app)));
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
  } catch (const CLI::ExtrasError& error) {
    const std::vector<std::string> rest = app.remaining();
    if (!app.get_subcommands().empty() || rest.empty() || rest.front().starts_with('-')) refuse(app, error);
    throw vnode::UsageError(
        fmt::format("there is no command \"{}\": {} (see vnode --help)", rest.front(), commands(app)));
  } catch (const CLI::ParseError& error) {
    refuse(app, error);
  }
  return verified ? 0 : failure;
}

}  // namespace

int main(int argc, char** argv) {
  // What is wrong with a machine is told by our own sentences, unless somebody asks for hwloc's.
  setenv("HWLOC_HIDE_ERRORS", "2", 0);
  return vnode::run_program("vnode", [=] { return run(argc, argv); });
}
