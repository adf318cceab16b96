#pragma once

#include <vnode/machine.hpp>

#include "options/format.hpp"

namespace vnode {

/// Writes the machine to standard output: a summary and a tree for a person, or one JSON object.
void print_machine(const Machine& machine, Format format);

/// Registers `topo`: --machine FILE.xml|SYNTHETIC (default: this machine) and --format text|json.
void add_topo(Command app);

}  // namespace vnode
