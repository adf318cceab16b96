#pragma once

#include <string>

#include "program.hpp"

namespace vnode_test {

/// Runs the program on the team, with its fault or without it. `wrong` becomes what was wrong first with the
/// calls that were completed, or nothing. Throws what the run throws.
void run(vnode::Team& team, const Program& program, bool with_fault, std::string& wrong);

}
