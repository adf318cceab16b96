#pragma once

#include <cstddef>

#include <vnode/lab/ports.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What messages travel on.
struct Interconnect {
  Topology topology;             ///< the links
  Routing routing;               ///< the ways over them
  Duplex duplex = Duplex::full;  ///< whether a link's directions are independent

  /// By the topology's default routing, full duplex. Implicit: a topology alone is an interconnect, too.
  Interconnect(const Topology& topology_) : Interconnect(topology_, topology_.default_routing()) {}
  /// By that routing.
  Interconnect(const Topology& topology_, Routing routing_, Duplex duplex_ = Duplex::full)
      : topology(topology_), routing(routing_), duplex(duplex_) {}
};

/// How many bytes a block has.
struct Volume {
  std::size_t bytes = 0;   ///< m, the operation's message size
  int message_blocks = 1;  ///< so many blocks make m; 0: nothing has any bytes, as in barriers

  /// The bytes of so many blocks; not a whole number where m cannot be divided.
  double of(long blocks) const {
    if (message_blocks == 0) return 0;
    return static_cast<double>(bytes) * static_cast<double>(blocks) / message_blocks;
  }
};

}  // namespace vnode
#pragma GCC visibility pop
