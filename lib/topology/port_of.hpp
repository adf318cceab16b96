#pragma once

#include <vnode/topology.hpp>

namespace vnode {

/// The port through which a direction of a link leaves its vertex: directed_link(vertex, port) is that one. A
/// message that comes in by direction l comes in at port_of(l ^ 1). UsageError if there is no such direction.
/// O(dimensions).
int port_of(const Topology& topology, int directed_link);

}  // namespace vnode
