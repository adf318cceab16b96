#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <vnode/c/team.h>
#include <vnode/join.hpp>
#include <vnode/team.hpp>

#include "c/entry.hpp"
#include "c/group.hpp"

/// A team, and the handles of its nodes.
struct vnode_team : vnode::Handle<vnode::HandleKind::team> {
  explicit vnode_team(vnode::Team made) : is(std::move(made)), nodes(static_cast<std::size_t>(is.size())) {}

  /// Returns the handle of a node, made when it is first asked for. Only the node's own thread asks.
  vnode_node* handle_of(vnode::Node& node) {
    auto& own = nodes[static_cast<std::size_t>(node.rank())];
    if (own == nullptr) own = std::make_unique<vnode_group>(node);
    return own.get();
  }

  vnode::Team is;
  std::vector<std::unique_ptr<vnode_group>> nodes;  // by rank
};

/// A membership, with the handle of its node.
struct vnode_membership : vnode::Handle<vnode::HandleKind::membership> {
  vnode_membership(vnode::Membership made, vnode_team& team)
      : is(std::move(made)), node(team.handle_of(*is)) {}

  vnode::Membership is;
  vnode_node* node;
};
