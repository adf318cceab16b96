#pragma once

#include <CLI/CLI.hpp>

namespace vnode {

/// Registers `topo`: --machine FILE.xml|SYNTHETIC (default: this machine), --profile, and --format text|json.
void add_topo(CLI::App& app);

}  // namespace vnode
