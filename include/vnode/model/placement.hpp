#pragma once

#include <span>
#include <vector>

#include <vnode/model/machine.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes the PU that each virtual node runs on.
struct Mapping {
  std::vector<int> pu;    ///< by rank, an index into Machine::pus
  bool own_core = false;  ///< whether every node has a core to itself
  int cores_used = 0;     ///< number of distinct cores
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

/// Puts consecutive ranks close together, on allowed PUs only. While the nodes fit, each has a core of its
/// own and the cores of one L3, NUMA node and package are filled before the next; then second PUs of cores
/// are used; then nodes share PUs, whose loads differ by one at most. In every case neighbours in rank are
/// neighbours in the machine. Throws UsageError if `nodes` < 1. O(nodes + PUs log PUs).
Mapping compact_mapping(const Machine& machine, int nodes);
/// Describes the nodes of a process, which all run on one machine.
struct ProcessNodes {
  int machine = 0;    ///< index of the machine that the process runs on
  Mapping mapping{};  ///< its nodes, on that machine's own PUs
};
/// Returns where the nodes of all processes run on joined(machines): ranks go by process, then node. Several
/// processes may share a machine, and have different numbers of nodes. Throws UsageError if a machine is not
/// there, or a machine lacks a PU.
Mapping joined(std::span<const Machine> machines, std::span<const ProcessNodes> processes);

/// Puts node i on PU pus[i], an index into Machine::pus; nodes may share a PU. Throws UsageError if there is
/// no such PU, SystemError if the process may not use it. O(nodes log nodes).
Mapping given_mapping(const Machine& machine, std::vector<int> pus);

}  // namespace vnode
#pragma GCC visibility pop
