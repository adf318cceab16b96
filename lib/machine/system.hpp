#pragma once

#include <string>

namespace vnode {

/// Returns what tells this start of the operating system from all others, the same in all containers of a
/// host. Returns an empty text if the system does not say.
std::string system_number();

}  // namespace vnode
