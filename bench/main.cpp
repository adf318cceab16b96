#include <fmt/format.h>
#include <fstream>
#include <iostream>

#include <vnode/error.hpp>

#include "command_line/command.hpp"
#include "commands/commands.hpp"
#include "options/options.hpp"
#include "terminal/program.hpp"
#include "terminal/table.hpp"
#include "terminal/width.hpp"

namespace {

using namespace vnode::bench;

int run(const Options& options, std::ostream& out) {
  if (options.measured == Measured::limits) return measure_limits(options, out);
  if (options.measured == Measured::guidelines) return measure_guidelines(options, out);
  if (options.measured == Measured::first_calls) return measure_first_calls(options, out);
  return measure_operations(options, out);
}

int run(const Options& options) {
  if (!options.output) return run(options, std::cout);
  std::ofstream file{*options.output};
  if (!file) throw vnode::SystemError{fmt::format("cannot write to '{}'", *options.output)};
  const int status = run(options, file);
  file.close();
  if (!file) throw vnode::SystemError{fmt::format("could not write all of '{}'", *options.output)};
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  return vnode::run_program("vnode-bench", [=] {
    try {
      const Options options = parse_command_line(argc, argv);
      return options.measured == Measured::cluster ? start_cluster(argv) : run(options);
    } catch (const vnode::Answer& answer) {
      std::cout << vnode::folded_lines(answer.text, vnode::terminal_width());
      return 0;
    }
  });
}
