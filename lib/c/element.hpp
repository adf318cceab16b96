#pragma once

#include <string_view>

#include <vnode/c/element.h>
#include <vnode/element.hpp>

namespace vnode {

/// Returns what the runtime needs to know of a type. Throws if there is none of that number.
const ElementType& element_of(vnode_type type);
/// Returns its name in vnode.h, or the one that it was registered by. Throws likewise.
std::string_view type_name_of(vnode_type type);

}  // namespace vnode
