#pragma once

#include <string>

#include <vnode/team.hpp>

#include "runtime/waiter.hpp"

namespace vnode {

/// What a team's nodes do while they wait.
WaitPolicy policy_of(Wait wait, bool own_core);
/// "spin for 100 us, then yield".
std::string describe(WaitPolicy policy);

}
