#pragma once

#include <vnode/c/exchange.h>
#include <vnode/exchanges.hpp>

#include "c/handle.hpp"

/// Neighbours and their handle.
struct vnode_neighbours : vnode::HandleOf<vnode::Neighbours, vnode::HandleKind::neighbours> {
  using HandleOf::HandleOf;
};

namespace vnode {

/// Returns the elements that a piece describes. Throws for data that are missing, or more than memory holds;
/// `which` names the piece.
Buffer piece_from(const vnode_piece& given, const ElementType& type, const char* which);

}  // namespace vnode
