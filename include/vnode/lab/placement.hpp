#pragma once

#include <vector>

#include <vnode/lab/machine.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Which PU each virtual node runs on.
struct Mapping {
  std::vector<int> pu;    ///< by rank: index into Machine::pus
  bool own_core = false;  ///< every node has a core to itself
  int cores_used = 0;     ///< distinct cores
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

/// Consecutive ranks close together, on allowed PUs only. While the nodes fit, each has a core of its own and
/// the cores of one L3, NUMA node and package are filled before the next; then second PUs of cores are used;
/// then PUs are shared, their loads differing by one at most. In every case neighbours in rank are neighbours
/// in the machine. `nodes` >= 1, else UsageError. O(nodes + PUs log PUs).
Mapping compact_mapping(const Machine& machine, int nodes);
/// Node i on PU pus[i], an index into Machine::pus; several may share one. UsageError if there is no such PU,
/// SystemError if the process may not use it. O(nodes log nodes).
Mapping given_mapping(const Machine& machine, std::vector<int> pus);

}  // namespace vnode
#pragma GCC visibility pop
