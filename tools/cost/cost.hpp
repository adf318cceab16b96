#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Adds `vnode cost`: closed forms, what they come to, and where another algorithm is cheaper.
void add_cost(CLI::App& app);

}  // namespace vnode
