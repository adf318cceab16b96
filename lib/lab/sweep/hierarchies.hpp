#pragma once

#include <vector>

#include <vnode/hierarchy.hpp>

namespace vnode {

/// Every way to divide `nodes` ranks into equal domains, consecutive and round robin, and some unequal ones:
/// consecutive, and mixed up; some on two and on three levels; in both forms; some with other algorithms than
/// the usual.
std::vector<Hierarchy> hierarchies(int nodes);

}  // namespace vnode
