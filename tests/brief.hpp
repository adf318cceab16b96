#pragma once

#include <cstdlib>

namespace vnode_test {

/// Under sanitizers, which are told to try less (VNODE_TRIALS in the presets).
inline bool brief() { return std::getenv("VNODE_TRIALS") != nullptr; }

}  // namespace vnode_test
