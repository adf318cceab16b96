#pragma once

#include <cstddef>
#include <vector>

#include <vnode/model/contract.hpp>
#include <vnode/model/ports.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the network that messages travel on.
struct Interconnect {
  Topology topology;             ///< its links
  Routing routing;               ///< the rule that determines paths
  Duplex duplex = Duplex::full;  ///< whether a link's directions are independent
  /// The number of machines that the nodes are on, as many consecutive ranks on each. If there are several, a
  /// message between two of them takes, instead of the topology's path, the one link of its sender's machine
  /// and that of its receiver's; the network between them has room for all. Inside a machine a message takes
  /// no link. Direction 2i of the links goes out of machine i, 2i + 1 into it.
  int machines = 1;

  /// Takes the topology's default routing and full duplex. It is implicit: a topology alone serves as an
  /// interconnect.
  Interconnect(const Topology& topology_) : Interconnect(topology_, topology_.default_routing()) {}
  /// Takes the given routing, and the number of machines.
  Interconnect(const Topology& topology_, Routing routing_, Duplex duplex_ = Duplex::full, int machines_ = 1)
      : topology(topology_), routing(routing_), duplex(duplex_), machines(machines_) {}

  /// Returns the machine that a node is on.
  int machine_of(Rank rank) const { return rank / (topology.nodes() / machines); }
};

/// Describes the size of blocks in bytes.
struct Volume {
  std::size_t bytes = 0;   ///< m, the operation's message size
  int message_blocks = 1;  ///< the number of blocks that make m; 0: blocks have no bytes, as in barriers
  /// By rank: the first so many blocks hold nothing at first, as the result of an exclusive scan. Empty: all
  /// hold something, or are only moved.
  std::vector<int> empty_blocks = {};

  /// Returns the bytes of that many blocks; not a whole number where m cannot be divided.
  double of(long blocks) const {
    if (message_blocks == 0) return 0;
    return static_cast<double>(bytes) * static_cast<double>(blocks) / message_blocks;
  }
};
/// Returns the size of the blocks of an operation of so many bytes.
inline Volume volume_of(const Contract& contract, std::size_t bytes) {
  Volume volume{bytes, contract.message_blocks};
  if (contract.originals > 0)
    for (const Share& share : contract.shares)
      volume.empty_blocks.push_back(share.input.empty() ? contract.blocks : share.input.front().first);
  return volume;
}

}  // namespace vnode
#pragma GCC visibility pop
