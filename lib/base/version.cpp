#include <vnode/version.hpp>

namespace vnode {

std::string_view version() noexcept { return VNODE_VERSION; }

}  // namespace vnode
