#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Adds `vnode calibrate`: measures this machine's profile and keeps it.
void add_calibrate(CLI::App& app);

}  // namespace vnode
