#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Registers `verify`: --collective C, --algorithm NAME, --max-nodes N, --format text|json. `verified`
/// outlives the parsing and becomes false if a promise is broken or a mutant accepted.
void add_verify(CLI::App& app, bool& verified);

}  // namespace vnode
