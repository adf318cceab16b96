#pragma once

#include "options/command.hpp"

namespace vnode {

/// Registers `verify`: --collective C, --algorithm NAME,..., --max-nodes N, --format text|json|csv.
/// `verified` outlives the parsing and becomes false if a promise is broken or a mutant accepted.
void add_verify(Command app, bool& verified);

}  // namespace vnode
