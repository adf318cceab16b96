#pragma once

#include <vnode/c/topology.h>
#include <vnode/topology.hpp>

#include "c/entry.hpp"

/// A topology and its handle.
struct vnode_topology : vnode::HandleOf<vnode::Topology, vnode::HandleKind::topology> {
  using HandleOf::HandleOf;
};
