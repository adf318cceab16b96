#pragma once

#include <utility>

#include <vnode/c/layout.h>
#include <vnode/layouts.hpp>

#include "c/handle.hpp"

/// A layout and its handle.
struct vnode_layout : vnode::Handle<vnode::HandleKind::layout> {
  explicit vnode_layout(vnode::Layout layout) : is(std::move(layout)) {}

  vnode::Layout is;
};

namespace vnode {

/// Returns the layout of a handle; throws what at_handle throws.
inline const Layout& layout_of(const vnode_layout* layout) {
  return at_handle(const_cast<vnode_layout*>(layout)).is;
}

/// Throws unless a layout picks as many elements, of so many bytes, as are wanted of it, all within reach.
void check_picked(const Layout& layout, std::size_t first, std::size_t count, std::size_t element_bytes,
                  const char* what);

}  // namespace vnode
