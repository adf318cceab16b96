#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <vnode/node.hpp>
#include <vnode/numa.hpp>
#include <vnode/placed_buffer.hpp>
#include <vnode/team_options.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class Cluster;
class PortBanks;
struct RollCall;
struct Statistics;
struct Trace;
class Transport;
class [[gnu::visibility("hidden")]] Untyped;

/// Describes memory that a team has for one of its nodes, requested on one NUMA node.
struct OwnedMemory {
  Rank owner = 0;        ///< the node that it belongs to
  bool scratch = false;  ///< scratch of its calls, rather than channels, boards and such
  int bank = 0;          ///< the NUMA node requested: an index into Machine::numas, every_bank or any_bank
  PageAudit pages = {};  ///< the NUMA nodes on which its pages lie
  std::vector<std::string> degraded = {};  ///< what the system refused, a sentence each

  /// Returns the number of pages that lie on another NUMA node than the one requested; 0 if no single one
  /// was.
  std::size_t elsewhere() const;
};

class Membership;

/// A team is p threads, or fibers (TeamOptions::nodes), that act as the virtual nodes of a topology. Threads
/// are started once and serve every run; or else they are the program's, and a run lasts from when p of them
/// have joined until they have left: see Membership (vnode/join.hpp).
///
/// A team uses the PUs that the process may use, whatever the thread that makes it is bound to (see
/// Machine::discover in vnode/model/machine.hpp); a CPU quota of a cgroup counts as so many cores. Where
/// threads that join run, and so how they wait and what their messages cost, follows from their affinities.
///
/// Teams that exist at the same time divide the PUs of the process: each takes those that the others'
/// nodes use least, in the order in which the teams are made, and its report names those that it shares. A
/// node is pinned during a run. The thread that calls run() is node 0 and has its affinity back when run()
/// returns, which takes two system calls, some microseconds (see TeamOptions::keep_caller_pinned). Threads
/// that a node starts inherit its PU, unless an Unpinned (vnode/unpinned.hpp) lives meanwhile.
///
/// A node may call exit(), which ends the process with its code, whatever other nodes do. In a child of
/// fork() the parent's teams throw UsageError when used and may be destroyed; new teams work.
///
/// VNODE_WAIT, VNODE_SPIN, VNODE_CHANNEL, VNODE_PIN, VNODE_MAPPING, VNODE_SHARE, VNODE_CHECKED,
/// VNODE_TIME_LIMIT, VNODE_DEADLOCKS, VNODE_BANKS, VNODE_ARENAS, VNODE_STATS, VNODE_ALGORITHM and
/// VNODE_PROFILE override the options.
/// Functions that are documented as callable between runs only throw UsageError within a run.
///
///     vnode::Team team{8, vnode::shapes::hypercube{}};
///     team.run([](vnode::Node& me) {
///       std::vector<double> x(1000, me.rank());
///       me.broadcast(x, 3);
///     });
class Team {
 public:
  /// Throws UsageError if `nodes` is less than 1, more than 32768 or not a size that `shape` can have, and
  /// SystemError if threads or memory are refused.
  explicit Team(int nodes, const Shape& shape = shapes::full{}, const TeamOptions& options = {});
  /// Makes a team whose nodes are all linked, shapes::full.
  Team(int nodes, const TeamOptions& options) : Team(nodes, shapes::full{}, options) {}
  /// Ends the team's threads; within a run it ends nothing, so that a node may call exit().
  ~Team();
  /// Leaves `other` without nodes: whatever it is asked for throws UsageError.
  Team(Team&& other) noexcept;
  /// Ends this team's threads as the destructor does, and leaves `other` without nodes.
  Team& operator=(Team&& other) noexcept;

  /// Returns the number of nodes, p.
  int size() const;
  /// Returns the topology that `shape` is with p nodes.
  const Topology& topology() const;
  /// Returns what the nodes run as: threads also where fibers were asked for and each node has a PU.
  Nodes nodes_as() const;

  /// Returns the costs of messages between all nodes, as given, or measured, which takes some milliseconds
  /// once. Callable between runs only.
  const CostModel& costs();

  /// Calls body(node) on every node and returns when all have returned. Rethrows the first exception that
  /// left a node; the team is usable afterwards. Throws UsageError if a run of this team is on, in this
  /// thread or another one, and for a team of callers. A body may run another team.
  template <class Body>
  void run(Body&& body) {
    using Callable = std::remove_reference_t<Body>;
    if constexpr (std::is_function_v<Callable>) {
      run(&body);
    } else {
      run_on_all([](void* callable, Node& node) { (*static_cast<Callable*>(callable))(node); },
                 const_cast<void*>(static_cast<const void*>(std::addressof(body))));
    }
  }

  /// Makes the calling thread node `rank` of a team of callers, of a cluster node Cluster::first_here() +
  /// `rank`, for as long as the Membership lives. Returns when all nodes of this process have joined, after
  /// those of the run before have left. Costs some microseconds where the threads come at the same time. A
  /// thread may be a node of several teams.
  ///
  /// Throws UsageError if the team has threads of its own, if there is no such rank or another thread is that
  /// node, or if this thread is a node of the team already; TimeLimitExceeded, in all threads that wait for
  /// the same run, if some nodes have not joined within the team's time limit.
  [[nodiscard("a thread leaves when its Membership ends")]] Membership join(Rank rank);
  /// Joins as the lowest rank that no thread has; throws UsageError if there is none. Which thread gets
  /// which rank depends on the order in which they come.
  [[nodiscard("a thread leaves when its Membership ends")]] Membership join();

  /// Makes every node record, from the next run on, what it does in collective calls: up to `events` events
  /// of 56 bytes each, one or two for each end of a message; events beyond that are only counted. 0 ends
  /// recording. Earlier records are lost. A recorded step takes some 50 ns more. Throws SystemError if memory
  /// is refused. Callable between runs only.
  void trace(std::size_t events);
  /// Returns the calls recorded since the last time (vnode/model/trace.hpp). Callable between runs only.
  Trace take_trace();

  /// Returns what the calls of this team have been until now, by operation, algorithm, group and size
  /// (vnode/statistics.hpp). Callable at any time, by any thread: nodes in a run are not held up. Has no rows
  /// unless TeamOptions::statistics or VNODE_STATS was set.
  Statistics statistics() const;
  /// Returns where every node is: in which call, waiting for whom, or in none (vnode/roll_call.hpp). Callable
  /// at any time, by any thread: nodes are not held up, and go on meanwhile.
  RollCall state() const;

  /// Returns memory for `count` elements of node `owner`, divided into `pieces` equal pieces (0: one for each
  /// of its ports). Piece i lies on the NUMA node of port i modulo the number of ports, as all-port
  /// algorithms send their messages. The owner should touch it first. Throws what the constructor of Pages
  /// throws, and UsageError if there is no such node or `pieces` is negative.
  template <class T>
  PlacedBuffer<T> buffer(Rank owner, std::size_t count, int pieces = 0) const {
    return PlacedBuffer<T>(port_pages(owner, count, sizeof(T), pieces));
  }
  /// Returns the NUMA nodes on which the memory lies that the team has made so far. Callable between runs
  /// only.
  std::vector<OwnedMemory> memory() const;
  /// Returns the NUMA nodes of the ports' buffers (vnode/model/port_banks.hpp); nullopt where they lie
  /// anywhere.
  std::optional<PortBanks> port_banks() const;

  /// Returns the bytes of channel memory in use.
  std::size_t channel_bytes() const;
  /// Returns the bytes of scratch in use.
  std::size_t scratch_bytes() const;
  /// Returns a text for people: nodes, topology, cores, mapping, pinning, arenas, waiting, channel, where
  /// nodes run and their memory lies, what was refused and why, overrides from the environment. Callable
  /// between runs only.
  std::string report() const;

 private:
  friend Cluster;
  friend class Membership;
  friend Untyped;
  struct State;
  /// Makes a team whose nodes are in several processes (vnode/cluster.hpp), which all make it; `transport`
  /// lives as long.
  Team(Transport& transport, const Shape& shape, const TeamOptions& options);
  State& existing() const;
  void run_on_all(void (*call)(void*, Node&), void* body);
  Pages port_pages(Rank owner, std::size_t count, std::size_t element_bytes, int pieces) const;
  std::unique_ptr<State> state_;
};

}  // namespace vnode
#pragma GCC visibility pop
