#include "c/handle.hpp"

#include <fmt/format.h>

namespace vnode {

const char* handle_name(HandleKind kind) {
  switch (kind) {
    case HandleKind::ended:
      return "a handle that has ended";
    case HandleKind::team:
      return "vnode_team";
    case HandleKind::group:
      return "vnode_group";
    case HandleKind::membership:
      return "vnode_membership";
    case HandleKind::request:
      return "vnode_request";
    case HandleKind::persistent:
      return "vnode_persistent";
    case HandleKind::schedule:
      return "vnode_schedule";
    case HandleKind::hierarchy:
      return "vnode_hierarchy";
    case HandleKind::topology:
      return "vnode_topology";
    case HandleKind::buffer:
      return "vnode_buffer";
    case HandleKind::trace:
      return "vnode_trace";
    case HandleKind::statistics:
      return "vnode_statistics";
    case HandleKind::roll_call:
      return "vnode_roll_call";
    case HandleKind::unpinned:
      return "vnode_unpinned";
    case HandleKind::while_waiting:
      return "vnode_while_waiting";
    case HandleKind::layout:
      return "vnode_layout";
    case HandleKind::neighbours:
      return "vnode_neighbours";
    case HandleKind::matched_message:
      return "vnode_matched_message";
  }
  return "what is not a handle of vnode's";
}

void refuse_handle(const void* handle, HandleKind wanted) {
  if (handle == nullptr) throw WrongArgument(fmt::format("the {} is NULL", handle_name(wanted)));
  HandleKind found;
  std::memcpy(&found, handle, sizeof found);
  throw WrongArgument(fmt::format("expected a {}, got {}", handle_name(wanted), handle_name(found)));
}

}  // namespace vnode
