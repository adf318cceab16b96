#pragma once

#include <cstddef>

#include <vnode/c/element.h>
#include <vnode/element.hpp>

namespace vnode {

/// Returns the type of a message's elements. Throws if there is no data, or more than memory can hold;
/// `which` names them as vnode.h does.
const ElementType& message_type(const void* data, std::size_t count, vnode_type type,
                                const char* which = "data");

}  // namespace vnode
