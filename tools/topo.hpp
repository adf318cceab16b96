#pragma once

#include <CLI/CLI.hpp>

#include <vnode/machine.hpp>

namespace vnode {

enum class Format { text, json };

/// Writes the machine to standard output: a tree and tables for a person, or one JSON object.
void print_machine(const Machine& machine, Format format);

/// Registers `topo`: --machine FILE.xml|SYNTHETIC (default: this machine) and --format text|json.
void add_topo(CLI::App& app);

}  // namespace vnode
