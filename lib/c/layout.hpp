#pragma once

#include <vnode/c/layout.h>
#include <vnode/layouts.hpp>

#include "c/entry.hpp"

/// A layout and its handle.
struct vnode_layout : vnode::HandleOf<vnode::Layout, vnode::HandleKind::layout> {
  using HandleOf::HandleOf;
};

namespace vnode {

/// Throws unless a layout picks as many elements, of so many bytes, as are wanted of it, all within reach.
void check_picked(const Layout& layout, std::size_t first, std::size_t count, std::size_t element_bytes,
                  const char* what);

}  // namespace vnode
