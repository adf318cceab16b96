#pragma once

#include <cstdlib>

namespace vnode_test {

/// In `tools/dev test` under sanitizers and in `tools/dev arm`, where tests are told to try less; `tools/dev
/// soak` tries all under sanitizers.
inline bool brief() { return std::getenv("VNODE_TRIALS") != nullptr; }

}  // namespace vnode_test
