#pragma once

#include <functional>

namespace vnode {

/// Runs `body`, all of a program called `name`, and returns the status that it exits with: what `body`
/// returns, or 2 with one sentence on standard error if it throws, or if anything that was written to
/// standard output could not be. No output is left unchecked: neither a write long ago, which C forgets to
/// report at the next one, nor the last one. A reader that has gone is no error to speak of.
int run_program(const char* name, const std::function<int()>& body) noexcept;

/// Throws std::system_error if anything that was written to standard output could not be.
void check_standard_output();

}  // namespace vnode
