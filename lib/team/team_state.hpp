#pragma once

#include <chrono>
#include <ctime>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/port_banks.hpp>
#include <vnode/roll_call.hpp>
#include <vnode/statistics.hpp>
#include <vnode/team.hpp>

#include "base/ticks.hpp"
#include "call/member.hpp"
#include "call/shared_group.hpp"
#include "cluster/cluster_layout.hpp"
#include "cluster/joint_end.hpp"
#include "compile/plan.hpp"
#include "engine/engine.hpp"
#include "engine/team_life.hpp"
#include "fiber/carrier.hpp"
#include "machine/binding.hpp"
#include "record/call_counters.hpp"
#include "settings/environment.hpp"
#include "settings/overrides.hpp"
#include "settings/team_mapping.hpp"
#include "team/arenas.hpp"
#include "team/launch.hpp"
#include "team/live_teams.hpp"
#include "team/roster.hpp"
#include "team/running_node.hpp"
#include "transport/fabric.hpp"
#include "watch/statistics_output.hpp"

namespace vnode {

struct Team::State {
  /// Makes the team. If its nodes are in several processes, `beginning` is the exchange with the others; else
  /// it is null.
  State(int nodes, const Shape& shape, Settings settled, Machine on, JointBeginning* beginning = nullptr);
  ~State() { groups->close(); }
  /// Makes the team with the settings and the machine that the environment gives. Throws SystemError if there
  /// is no memory.
  static std::unique_ptr<State> make(int nodes, const Shape& shape, const TeamOptions& options,
                                     JointBeginning* beginning);

  /// Tells whether calls are counted.
  bool counts() const { return settings.options.statistics; }
  bool pinning() const { return *settings.options.pin && machine.this_system; }

  /// Return the rank of the first node of this process and the number of its nodes, which have successive
  /// ranks.
  Rank first_here() const { return outside ? outside->first() : 0; }
  int nodes_here() const { return outside ? outside->nodes_here() : topology.nodes(); }

  Mapping settle(JointBeginning* beginning);
  /// Tells whether nodes are where threads of the program that join may run. It is false in a cluster, since
  /// no process may change what they have agreed on.
  bool follows_threads() const { return life->of_callers() && !pinning() && !outside && machine.this_system; }
  /// Takes the affinity of a thread that joins as the node `place` of this process; `last` says that it is
  /// the last of all. Then everything that depends on where nodes run is adapted, if affinities have changed.
  void enter(Rank place, const std::vector<int>& affinity, bool last);
  void follow_threads();
  /// Returns the number of nodes on a core, on average and rounded up.
  int nodes_per_core() const { return (topology.nodes() + mapping.cores_used - 1) / mapping.cores_used; }
  /// Tells whether the CPU quota lets all nodes run all the time.
  bool in_quota() const;
  std::vector<int> pus() const;
  WaitPolicy wait_policy() const;
  /// Returns the nodes of this process that share a PU, by the lowest of them; empty unless they are fibers.
  std::vector<std::vector<Rank>> carried_nodes() const;
  /// Does what a thread of the crew does in a run.
  bool run_seat(int seat, CarrierThread::Body body, void* argument) {
    return carriers ? carriers->run(seat, body, argument) : body(argument, first_here() + seat);
  }
  std::chrono::nanoseconds long_wait() const;
  FabricOptions fabric_options(int nodes) const;
  std::optional<PortBanks> banks_for_ports() const;
  /// Returns the costs with the lengths that the options and the channels allow. Where nodes share cores, a
  /// message that needs no answer saves turns, and a node that copies for another takes the core from a
  /// third.
  CostModel within_limits(CostModel limited) const;
  CostModel unmeasured_costs() const;
  std::size_t alike_to() const;
  /// Tells whether the way of a message depends on measured costs.
  bool lengths_are_open() const;
  Profile message_profile() const;
  const Pu& pu_of(Rank rank) const {
    return machine.pus[static_cast<std::size_t>(mapping.pu[static_cast<std::size_t>(rank)])];
  }

  /// Pins the caller of a run, as node 0, unless that node has a thread of its own.
  std::unique_ptr<PinnedThread> pin_caller() { return settings.options.apart ? nullptr : pins.pin_caller(); }

  void limit_waits(std::chrono::nanoseconds limit) {
    for (const auto& engine : engines) engine->set_limit(limit);
  }

  /// Returns the costs measured by two threads that are as near to each other as the team's farthest nodes,
  /// or typical ones where nodes share cores.
  CostModel measured_costs() const;
  /// Returns the profile whose tuned times choose algorithms: the one asked for, or the one that is kept.
  ProfileChoice profile() const;
  template <class Measure>
  static auto measured_by_two(const Settings& two, const Machine& machine, const Measure& measure);

  /// Makes the nodes count their calls from now on. Called before the first run.
  void count_calls();
  /// Returns the statistics. Any thread may call it at any time.
  Statistics statistics();
  double seconds_per_tick() const;
  /// Returns the roll call. Any thread may call it at any time.
  RollCall roll_call();
  /// Returns the statistics of a group of these nodes; `known` are the team's costs.
  GroupStatistics group_statistics(const std::vector<Rank>& nodes, const std::string& shape,
                                   const std::optional<CostModel>& known) const;

  /// Calls body(node) on every node, on the crew's threads. Throws what Team::run throws.
  void run(void (*call)(void*, Node&), void* body);
  /// Ends the node's part of a run on the calling thread, by an exception or not. Returns what is to be
  /// thrown there: UsageError if a call is still in flight, which ends the run.
  std::exception_ptr end_node(Rank rank, std::exception_ptr failure) noexcept;
  /// Ends the run when all nodes have come to the end of their parts: nothing of it is left for the next.
  /// Returns what was wrong: the exception that has ended the run, or a Mismatch of its calls; null if
  /// nothing was.
  std::exception_ptr end_run() noexcept;
  std::exception_ptr found_wrong();

  const std::chrono::steady_clock::time_point made = std::chrono::steady_clock::now();
  const Ticks made_ticks = now();
  const std::time_t made_at = std::time(nullptr);
  const std::vector<int> maker = unpinned_affinity();  // of the thread that makes the team
  Settings settings;
  std::optional<ClusterLayout> outside;  // none: all nodes are in this process
  Topology topology;
  const std::shared_ptr<TeamLife> life;
  Overrides overrides;
  Machine machine;
  LiveTeam live;
  Mapping mapping;
  // If the team follows its threads: `usual` is the mapping by the options, `affinities` are the PUs that the
  // threads that joined last may run on, by rank, and messages have their costs and calls their plans by
  // `planned`.
  const Mapping usual = mapping;
  std::vector<std::vector<int>> affinities =
      std::vector<std::vector<int>>(static_cast<std::size_t>(nodes_here()));
  Mapping planned = mapping;
  bool moved = false;  // affinities have changed since `planned` was set
  NodePins pins;
  bool own_core;  ///< every node has a core that it may use all the time, as far as this machine is known
  WaitPolicy policy;
  std::optional<PortBanks> port_banks;  // none: memory lies anywhere
  std::optional<Arenas> arenas;
  Fabric fabric;
  Profile messages;  ///< lengths for messages outside of collectives
  Costs costs;
  ContextNumbers numbers =
      outside ? ContextNumbers(outside->processes().here(), outside->processes().count()) : ContextNumbers();
  const std::shared_ptr<SplitGroups> groups = std::make_shared<SplitGroups>(fabric);
  std::optional<CountedGroups> counted_groups;  // none: calls are not counted
  TeamFacts facts;
  std::shared_ptr<SharedGroup> world;
  // Of the nodes of this process, in the order of their ranks:
  std::vector<std::unique_ptr<Engine>> engines;
  std::vector<std::shared_ptr<Member>> members;  // members of the group of all nodes
  std::vector<NodeOfTeam> at_nodes;              // their nodes are passed to the bodies of runs
  std::optional<JointEnd> joint_end;             // none: all nodes are in this process
  std::optional<Carriers> carriers;              // none: nodes are threads
  std::optional<Roster> roster;                  // if the threads are the callers'
  std::optional<Crew> crew;                      // if the threads are its own: they use all of the above
  std::optional<StatisticsOutput> output;        // last: it is written before anything ends
};

}  // namespace vnode
