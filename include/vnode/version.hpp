#pragma once

#include <string_view>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns the version of the library in use at run time, as "major.minor.patch".
std::string_view version() noexcept;

}  // namespace vnode
#pragma GCC visibility pop
