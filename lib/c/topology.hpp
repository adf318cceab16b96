#pragma once

#include <vnode/c/topology.h>
#include <vnode/topology.hpp>

#include "c/handle.hpp"

/// A topology and its handle.
struct vnode_topology : vnode::Handle<vnode::HandleKind::topology> {
  explicit vnode_topology(const vnode::Topology& topology) : is(topology) {}

  vnode::Topology is;
};
