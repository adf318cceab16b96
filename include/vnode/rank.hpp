#pragma once

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The number of a virtual node in its team or group: 0 .. p-1.
using Rank = int;

}  // namespace vnode
#pragma GCC visibility pop
