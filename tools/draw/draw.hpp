#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Registers `draw`: pictures of what a schedule does on its topology, of its time, of its links, and of the
/// nodes on the machine; --format svg|text|html.
void add_draw(CLI::App& app);

}  // namespace vnode
