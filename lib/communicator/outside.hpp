#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/profile.hpp>
#include <vnode/shape.hpp>

#include "channel/wire.hpp"
#include "communicator/engine.hpp"
#include "communicator/environment.hpp"
#include "runtime/processes.hpp"
#include "runtime/told_calls.hpp"

namespace vnode {

/// What the processes of a cluster tell each other about their team, whose nodes are in all of them: before
/// it is made, and at the end of each run. All processes call the same functions in the same order; what one
/// of them cannot do, none does.
class Outside {
 public:
  /// Throws UsageError if the processes do not want the same team.
  Outside(Transport& transport, const Settings& settings, const Shape& shape);

  Transport& transport() const { return transport_; }
  const Processes& processes() const { return processes_; }
  int nodes() const { return processes_.nodes(); }
  int nodes_here() const { return processes_.last(processes_.here()) - first(); }
  Rank first() const { return processes_.first(processes_.here()); }

  /// Maps this process's nodes: beside those of the other processes of its machine, as one team, if they may
  /// use the same PUs.
  Mapping map(const Machine& machine, const TeamOptions& options) const;
  /// The mapping of all nodes, of which those elsewhere have the PU of this process's first.
  Mapping of_all(const Mapping& here) const;
  /// Settles what nodes of all processes build on, when the mapping of this one's to its machine is known.
  void agree_on(const Machine& machine, const Mapping& here);
  /// Whether every node of any process has a core of its own.
  bool own_core() const { return own_core_; }
  /// The machines of all processes, joined, and where on them the nodes are: the same in all processes.
  const Machine& machines() const { return machines_; }
  const Mapping& mapping() const { return mapping_; }
  /// How many of these nodes take turns on a PU, those too whose machines are containers of one system.
  double nodes_per_pu(std::span<const Rank> nodes) const;
  /// What messages between machines cost: measured, or typical if the options give costs.
  const PairCosts& network() const { return network_; }

  /// The team has been made here, or could not be: `failure`. Throws if it could not in some process.
  void made(std::exception_ptr failure);

  /// What processes know together of the calls of a run.
  struct Compared {
    bool ended_by_calls = false;  ///< a Mismatch or a Deadlock has ended it in some process
    std::string differ;           ///< calls of nodes of two processes, one of which has found that
  };
  /// The nodes of this process have come to the end of a run: whether it has failed is known afterwards, and
  /// all messages are there. If calls do not match, so are the journals of all nodes, until the fabric
  /// is reset.
  Compared end_run(Fabric& fabric, const std::vector<std::unique_ptr<Engine>>& engines);
  /// What was wrong with the run, here and elsewhere; null: nothing. Nothing of it is on its way any more.
  std::exception_ptr conclude(std::exception_ptr wrong, Fabric& fabric,
                              const std::vector<std::unique_ptr<Engine>>& engines);

 private:
  using Bytes = std::vector<std::byte>;
  std::vector<Bytes> exchange(
      const Bytes& own, const std::function<void()>& look = [] {});
  std::string compare_calls(Fabric& fabric, const std::function<void()>& look);

  bool is_first_of_machine(int process) const;

  Transport& transport_;
  Processes processes_;
  struct Neighbour {  // a process of this system, be it in another container, that may use the same PUs
    int nodes;
    bool before;
  };
  std::vector<Neighbour> neighbours_;
  std::vector<int> systems_;                   // by process: the first one on the same
  std::vector<std::pair<int, int>> real_pus_;  // by rank: the system and the number there
  ToldCalls told_;
  bool own_core_ = false;
  Machine machines_;
  Mapping mapping_;
  PairCosts network_ = typical_network();
};

}  // namespace vnode
