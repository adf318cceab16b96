#pragma once

#include <utility>

#include <vnode/c/memory.h>
#include <vnode/pages.hpp>

#include "c/handle.hpp"

/// Pages and their handle.
struct vnode_buffer : vnode::Handle<vnode::HandleKind::buffer> {
  explicit vnode_buffer(vnode::Pages pages) : is(std::move(pages)) {}

  vnode::Pages is;
};
