#pragma once

#include <utility>

#include <vnode/c/group.h>
#include <vnode/node.hpp>

#include "c/entry.hpp"

/// A node's group, or the node itself.
struct vnode_group : vnode::Handle<vnode::HandleKind::group> {
  explicit vnode_group(vnode::Group made) : own(std::move(made)), at(&own) {}
  explicit vnode_group(vnode::Node& is) : at(&is), node(&is) {}

  vnode::Group own;
  vnode::Group* at;
  vnode::Node* node = nullptr;  ///< null: a split has made it
};

namespace vnode {

/// Returns the group of a handle; throws what at_handle throws.
inline Group& group_of(const vnode_group* group) { return *at_handle(group).at; }
/// Returns the handle of the node that the calling thread is, made when it is first asked for; null if it is
/// none.
vnode_node* handle_of_this_node();
/// Returns the node of a handle; throws if it is a group that a split has made.
Node& node_of(const vnode_node* node);

}  // namespace vnode
