#pragma once

#include <span>
#include <utility>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/profile.hpp>
#include <vnode/shape.hpp>

#include "channel/processes.hpp"
#include "cluster/joint_beginning.hpp"
#include "settings/environment.hpp"

namespace vnode {

/// Settles what the processes of a cluster must agree on before they make a team whose nodes are in all of
/// them. All processes call the same functions in the same order, and a function that throws does so in all.
class ClusterLayout {
 public:
  /// Throws UsageError if the processes do not want the same team.
  ClusterLayout(JointBeginning& beginning, const Settings& settings, const Shape& shape);

  Transport& transport() const { return transport_; }
  const Processes& processes() const { return processes_; }
  int nodes() const { return processes_.nodes(); }
  int nodes_here() const { return processes_.last(processes_.here()) - first(); }
  /// Returns how many nodes are on this process's machine: a container, if it is one.
  int nodes_of_machine() const;
  Rank first() const { return processes_.first(processes_.here()); }

  /// Maps this process's nodes to PUs, beside those of the other processes of its machine, as one team, if
  /// they may use the same PUs.
  Mapping map(const Machine& machine, const TeamOptions& options) const;
  /// Returns a mapping of all nodes, of which those elsewhere have the PU of this process's first.
  Mapping of_all(const Mapping& here) const;
  /// Exchanges with the others where all nodes are, once the mapping of this process's nodes is known.
  void agree_on(JointBeginning& beginning, const Machine& machine, const Mapping& here);
  /// Measures network(), after agree_on(). The calling thread is pinned where the first node will be.
  void measure_network(JointBeginning& beginning);
  /// Tells whether every node of every process has a core of its own.
  bool own_core() const { return own_core_; }
  /// Return the machines of all processes, joined, and where on them the nodes are. Both are the same in all
  /// processes.
  const Machine& machines() const { return machines_; }
  const Mapping& mapping() const { return mapping_; }
  /// Returns how many of these nodes share a PU, on average. Nodes whose machines are containers of one
  /// system share its PUs.
  double nodes_per_pu(std::span<const Rank> nodes) const;
  /// Returns the costs of messages between machines, measured or typical. They are the same in all processes.
  const PairCosts& network() const { return network_; }

 private:
  bool is_first_of_machine(int process) const;

  Transport& transport_;
  Processes processes_;
  struct Neighbour {  // a process of this system, be it in another container, that may use the same PUs
    int nodes;
    bool before;
  };
  std::vector<Neighbour> neighbours_;
  std::vector<int> systems_;                   // by process: the first one on the same system
  std::vector<std::pair<int, int>> real_pus_;  // by rank: the system and the number there
  bool own_core_ = false;
  Machine machines_;
  Mapping mapping_;
  PairCosts network_ = typical_network();
};

}  // namespace vnode
