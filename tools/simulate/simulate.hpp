#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Adds the command `simulate`.
void add_simulate(CLI::App& app);

}  // namespace vnode
