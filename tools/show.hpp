#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Registers `show ALGORITHM`: its rounds for --nodes P --root R --topology T; --format text|json.
void add_show(CLI::App& app);

}  // namespace vnode
