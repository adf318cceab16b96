#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Adds `vnode explain`: why an algorithm is chosen.
void add_explain(CLI::App& app);

}  // namespace vnode
