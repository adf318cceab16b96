#pragma once

#include <vnode/c/exchange.h>
#include <vnode/exchanges.hpp>

#include "c/entry.hpp"

/// Neighbours and their handle.
struct vnode_neighbours : vnode::HandleOf<vnode::Neighbours, vnode::HandleKind::neighbours> {
  using HandleOf::HandleOf;
};
