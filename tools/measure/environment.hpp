#pragma once

#include <string>
#include <vector>

namespace vnode {

/// What the environment says of how teams run, by the variables that they read, ascending:
/// "VNODE_WAIT=spin".
std::vector<std::string> vnode_environment();

}  // namespace vnode
