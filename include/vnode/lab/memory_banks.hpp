#pragma once

#include <functional>
#include <vector>

#include <vnode/numa.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The buffer of a port, one for each direction.
struct PortBuffer {
  Rank node = 0;          ///< whose port it is
  int port = 0;           ///< its number in the topology: of the link by which a message leaves or comes in
  bool receives = false;  ///< the one that messages come in by
};

/// The memory of a NUMA machine, and what lies where. Bank b is the memory of NUMA node b. A message is read
/// from the bank of its sender's buffer by a core of the receiver's NUMA node, and written to the bank of the
/// receiver's. What goes through a bank or between two NUMA nodes at the same time shares the bandwidth
/// there, so that nobody could have more without taking it from one that has no more (max-min fair).
struct MemoryBanks {
  std::vector<double> bandwidth = {};  ///< of each bank, bytes per second, to read and write together
  std::vector<std::vector<double>> between =
      {};                              ///< [a][b]: from NUMA node a to b, bytes per second; empty: no limit
  std::function<int(Rank)> home = {};  ///< the NUMA node whose core a node runs on
  std::function<int(const PortBuffer&)> bank = {};  ///< where a buffer lies, or every_bank
  std::vector<int> turns = {};  ///< the banks that every_bank stands for: those that exist; empty: all
};

}  // namespace vnode
#pragma GCC visibility pop
