#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Registers `map`: which PU each node of a topology gets on a machine, by one mapping policy or by all, and
/// how long its links become; --format text|json|svg.
void add_map(CLI::App& app);

}  // namespace vnode
