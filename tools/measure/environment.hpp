#pragma once

#include <string>
#include <vector>

namespace vnode {

/// The environment's variables whose names begin with VNODE_, which change how teams run, ascending:
/// "VNODE_WAIT=spin".
std::vector<std::string> vnode_environment();

}  // namespace vnode
