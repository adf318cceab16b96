#pragma once

#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/memory_banks.hpp>
#include <vnode/lab/numa_distances.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/numa.hpp>
#include <vnode/rank.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Tells where the buffers of nodes' ports lie: a pure function of machine, mapping, topology and policy.
/// Banks are indices into Machine::numas. A cheap value.
class PortBanks {
 public:
  /// UsageError if the mapping has another number of nodes than the topology; SystemError if the machine has
  /// no bank that the process may use.
  PortBanks(const Machine& machine, const Mapping& mapping, const Topology& topology, Banks policy);

  /// The policy.
  Banks policy() const { return policy_; }
  /// The banks that buffers may lie on, as banks_of has them: those that every_bank stands for.
  const std::vector<int>& banks() const { return banks_; }
  /// The number of the machine's NUMA nodes, with memory or without.
  int count() const { return count_; }
  /// The NUMA node of the PU that a node runs on, with memory or without.
  int numa(Rank node) const { return numas_[static_cast<std::size_t>(node)]; }
  /// The bank near that PU (nearest_bank).
  int home(Rank node) const { return homes_[static_cast<std::size_t>(node)]; }
  /// The bank of a port's buffer, or every_bank. A switch at the other end of a link has no bank: the
  /// owner's.
  int bank(const PortBuffer& buffer) const;
  /// Returns the bank of the buffer by which `to` receives from `from`, which need not be its neighbour: the
  /// bank of the port where the way ends, or, by peer, that of `from`. O(links of the way).
  int bank_between(Rank from, Rank to) const;
  /// Returns the bank of what a node uses for messages of all its ports: every_bank where they lie on
  /// several.
  int bank_of_all(Rank node) const;
  /// The memory of these bandwidths with buffers so placed, for simulation.
  MemoryBanks memory(std::vector<double> bandwidth, std::vector<std::vector<double>> between = {}) const;

 private:
  int after(int home, int port) const;

  Banks policy_;
  Topology topology_;
  int count_;
  std::vector<int> banks_, numas_, homes_;
};

}  // namespace vnode
#pragma GCC visibility pop
