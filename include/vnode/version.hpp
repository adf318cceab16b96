#pragma once

#include <string_view>

#pragma GCC visibility push(default)
namespace vnode {

/// The version of the library in use at run time, as "major.minor.patch".
std::string_view version() noexcept;

}  // namespace vnode
#pragma GCC visibility pop
