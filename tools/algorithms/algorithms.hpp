#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Registers `algorithms`: the register with its promises; --format text|json|markdown.
void add_algorithms(CLI::App& app);

}  // namespace vnode
