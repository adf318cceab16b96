#pragma once

namespace [[gnu::visibility("default")]] vnode {

/// The number of a virtual node: 0 .. p-1.
using Rank = int;

}  // namespace vnode
