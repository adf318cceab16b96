#pragma once

#include <utility>

#include <vnode/c/team.h>
#include <vnode/join.hpp>
#include <vnode/team.hpp>

#include "c/entry.hpp"
#include "c/group.hpp"

struct vnode_team : vnode::HandleOf<vnode::Team, vnode::HandleKind::team> {
  using HandleOf::HandleOf;
};

/// A membership, with the handle of its node.
struct vnode_membership : vnode::Handle<vnode::HandleKind::membership> {
  explicit vnode_membership(vnode::Membership made)
      : is(std::move(made)), node(vnode::handle_of_this_node()) {}

  vnode::Membership is;
  vnode_node* node;
};
