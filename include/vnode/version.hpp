#pragma once

#include <string_view>

namespace [[gnu::visibility("default")]] vnode {

/// The version of the library in use at run time, as "major.minor.patch".
std::string_view version() noexcept;

}  // namespace vnode
