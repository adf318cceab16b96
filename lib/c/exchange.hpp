#pragma once

#include <utility>

#include <vnode/c/exchange.h>
#include <vnode/exchanges.hpp>

#include "c/handle.hpp"

/// Neighbours and their handle.
struct vnode_neighbours : vnode::Handle<vnode::HandleKind::neighbours> {
  explicit vnode_neighbours(vnode::Neighbours neighbours) : is(std::move(neighbours)) {}

  vnode::Neighbours is;
};

namespace vnode {

/// Returns the neighbours of a handle; throws what at_handle throws.
inline const Neighbours& neighbours_of(const vnode_neighbours* neighbours) {
  return at_handle(const_cast<vnode_neighbours*>(neighbours)).is;
}

/// Returns the elements that a piece describes. Throws for data that are missing, or more than memory holds;
/// `which` names the piece.
Buffer piece_from(const vnode_piece& given, const ElementType& type, const char* which);

}  // namespace vnode
