#pragma once

#include <vnode/c/memory.h>
#include <vnode/pages.hpp>

#include "c/entry.hpp"

/// Pages and their handle.
struct vnode_buffer : vnode::HandleOf<vnode::Pages, vnode::HandleKind::buffer> {
  using HandleOf::HandleOf;
};
