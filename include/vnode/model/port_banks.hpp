#pragma once

#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/memory_banks.hpp>
#include <vnode/model/numa_distances.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/numa.hpp>
#include <vnode/rank.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the NUMA nodes on which the buffers of nodes' ports lie: a pure function of machine, mapping,
/// topology and policy. NUMA nodes, also called banks here, are indices into Machine::numas. Copies are
/// cheap.
class PortBanks {
 public:
  /// Throws UsageError if the mapping has another number of nodes than the topology, and SystemError if no
  /// NUMA node has memory that the process may use.
  PortBanks(const Machine& machine, const Mapping& mapping, const Topology& topology, Banks policy);

  /// Returns the policy.
  Banks policy() const { return policy_; }
  /// Returns the NUMA nodes that buffers may lie on, as banks_of() does: those that every_bank stands for.
  const std::vector<int>& banks() const { return banks_; }
  /// Returns the number of the machine's NUMA nodes, with memory or without.
  int count() const { return count_; }
  /// Returns the NUMA node of the PU that a node runs on, with memory or without.
  int numa(Rank node) const { return numas_[static_cast<std::size_t>(node)]; }
  /// Returns the NUMA node for memory near that PU (nearest_bank).
  int home(Rank node) const { return homes_[static_cast<std::size_t>(node)]; }
  /// Returns the NUMA node of a port's buffer, or every_bank. A switch at the other end of a link counts as
  /// the owner.
  int bank(const PortBuffer& buffer) const;
  /// Returns the NUMA node of the buffer in which `to` receives from `from`, which need not be its neighbour:
  /// that of the port where the path ends or, with Banks::peer, the one near `from`. O(links of the path).
  int bank_between(Rank from, Rank to) const;
  /// Returns the NUMA node of what a node uses for messages of all its ports; every_bank if these have
  /// several.
  int bank_of_all(Rank node) const;
  /// Returns memory with these bandwidths and with the buffers on these NUMA nodes, for simulation.
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
