#pragma once

#include <functional>
#include <vector>

#include <vnode/numa.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes a buffer of a port. There is one for each direction.
struct PortBuffer {
  Rank node = 0;  ///< the node whose port it is
  int port = 0;   ///< number of the port in the topology: of the link by which a message leaves or arrives
  bool receives = false;  ///< whether it is the one for incoming messages
};

/// Describes the memory of a NUMA machine and the location of buffers. Bank b is the memory of NUMA node b. A
/// core of the receiver's NUMA node reads a message from the bank of its sender's buffer and writes it to the
/// bank of the receiver's. Concurrent messages share the bandwidth of a bank, and that between two NUMA
/// nodes, by max-min fairness: none could have more without taking it from one that has no more.
struct MemoryBanks {
  std::vector<double> bandwidth = {};  ///< by bank, bytes per second for reading and writing together
  std::vector<std::vector<double>> between =
      {};                              ///< [a][b]: from NUMA node a to b, bytes per second; empty: no limit
  std::function<int(Rank)> home = {};  ///< returns the NUMA node whose core a node runs on
  std::function<int(const PortBuffer&)> bank = {};  ///< returns the bank of a buffer, or every_bank
  std::vector<int> turns = {};                      ///< the banks that every_bank stands for; empty: all
};

}  // namespace vnode
#pragma GCC visibility pop
