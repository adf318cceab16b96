#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <vector>

#include <vnode/error.hpp>

#include "command_line/command.hpp"
#include "commands.hpp"
#include "terminal/program.hpp"
#include "terminal/table.hpp"
#include "terminal/width.hpp"

namespace {

int run(const std::vector<std::string>& arguments) {
  const vnode::CommandLine program("vnode",
                                   "Look at machines, at collective algorithms, and at the proof that they "
                                   "are right.\n`vnode-bench` measures; "
                                   "`man vnode` says more, and where the documents are.");
  bool verified = true;
  const vnode::Command algorithms = program.group("Algorithms"), machines = program.group("Machines"),
                       programs = program.group("Your programs");
  vnode::add_algorithms(algorithms);
  vnode::add_show(algorithms);
  vnode::add_draw(algorithms);
  vnode::add_cost(algorithms);
  vnode::add_compare(algorithms);
  vnode::add_simulate(algorithms);
  vnode::add_verify(algorithms, verified);
  vnode::add_topo(machines);
  vnode::add_map(machines);
  vnode::add_place_experiments(machines);
  vnode::add_calibrate(machines);
  vnode::add_tune(machines);
  vnode::add_explain(programs);
  vnode::add_stats(programs);
  vnode::add_env(programs);
  program.examples(
      {{"vnode topo", "this machine"},
       {"vnode explain all_reduce --nodes 8 --bytes 1M", "which algorithm is chosen, and why"},
       {"vnode draw broadcast_binomial --nodes 8 --output rounds.svg", "its rounds as a picture"},
       {"vnode help draw", "the options of a command"}});
  try {
    program.read(arguments);
    if (program.command_asked().empty())
      throw vnode::UsageError(fmt::format("a command is missing: {} (see vnode --help)", program.commands()));
  } catch (const vnode::Answer& answer) {
    fmt::print("{}", vnode::folded_lines(answer.text, vnode::terminal_width()));
  }
  return verified ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // What is wrong with a machine is told by our own sentences, unless somebody asks for hwloc's.
  setenv("HWLOC_HIDE_ERRORS", "2", 0);
  return vnode::run_program("vnode", [=] { return run({argv + 1, argv + argc}); });
}
