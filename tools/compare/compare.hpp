#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Adds `vnode compare`: all algorithms of a collective side by side, predicted and measured.
void add_compare(CLI::App& app);

}  // namespace vnode
