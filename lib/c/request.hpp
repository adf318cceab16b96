#pragma once

#include <vnode/c/group.h>
#include <vnode/c/messages.h>
#include <vnode/c/request.h>
#include <vnode/request.hpp>

#include "c/entry.hpp"

/// A request and its handle.
struct vnode_request : vnode::HandleOf<vnode::Request, vnode::HandleKind::request> {
  using HandleOf::HandleOf;
};

/// A planned call and its handle.
struct vnode_persistent : vnode::HandleOf<vnode::Persistent, vnode::HandleKind::persistent> {
  using HandleOf::HandleOf;
};

namespace vnode {

/// Stands for the message where there is none.
inline constexpr vnode_received nothing_received{0, VNODE_NO_RANK, VNODE_ANY_TAG};
static_assert(VNODE_NO_RANK == no_rank && VNODE_ANY_SOURCE == any_source && VNODE_ANY_TAG == any_tag);

/// Writes what is known of a message with elements of a type, if anybody wants to know.
inline void tell(vnode_received* received, const MessageInfo& info, const ElementType& type) {
  if (received != nullptr) *received = {info.bytes / type.bytes, info.source, info.tag};
}

/// Ends a request that is complete, after writing what it has received.
inline void end_complete(vnode_request*& request, vnode_received* received) {
  const MessageInfo& info = request->is.info();
  if (received != nullptr) *received = {request->is.count(), info.source, info.tag};
  delete request;
  request = nullptr;
}

}  // namespace vnode
