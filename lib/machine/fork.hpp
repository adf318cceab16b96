#pragma once

namespace vnode {

/// From now on calls `before` in a thread that is about to fork, and afterwards `in_parent` and, in the new
/// process, `in_child`, none of which may throw. Throws std::bad_alloc.
void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

}  // namespace vnode
