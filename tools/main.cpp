#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <vector>

#include <vnode/error.hpp>

#include "command_line/command.hpp"
#include "commands.hpp"
#include "terminal/program.hpp"

namespace {

int run(const std::vector<std::string>& arguments) {
  const vnode::CommandLine program(
      "vnode", "Look at machines, at collective algorithms, and at the proof that they are right");
  bool verified = true;
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
  vnode::add_tune(program);
  vnode::add_compare(program);
  vnode::add_stats(program);
  vnode::add_env(program);
  try {
    program.read(arguments);
    if (program.command_asked().empty())
      throw vnode::UsageError(fmt::format("a command is missing: {} (see vnode --help)", program.commands()));
  } catch (const vnode::Answer& answer) {
    fmt::print("{}", answer.text);
  }
  return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // What is wrong with a machine is told by our own sentences, unless somebody asks for hwloc's.
  setenv("HWLOC_HIDE_ERRORS", "2", 0);
  return vnode::run_program("vnode", [=] { return run({argv + 1, argv + argc}); });
}
