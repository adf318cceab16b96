#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <vnode/cost_model.hpp>
#include <vnode/node.hpp>
#include <vnode/numa.hpp>
#include <vnode/placed_buffer.hpp>
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

/// Says how a node waits.
enum class Wait {
  /// If every node has a core of its own, spins for 0.1 ms, yields up to 10 ms, then parks. Otherwise yields
  /// for about 1 ms, then parks; parks at once while busy threads of others take its core for a time slice.
  /// Under a CPU quota too small for all nodes, yields for about 10 us, then parks.
  automatic,
  spin,   ///< polls, and never gives its core away
  yield,  ///< lets other threads run between two polls
  park,   ///< sleeps in the kernel until another node wakes it
};

/// Names the queue that carries the messages of a link.
enum class ChannelEngine {
  line,   ///< a ring of cache lines, flag and payload in one; credits are returned lazily
  boost,  ///< boost::lockfree::spsc_queue, for comparison
};

/// Says whose threads the nodes of a team are.
enum class Threads {
  own,      ///< the team's, which starts them once; Team::run calls a function on each
  callers,  ///< the program's, which become nodes by Team::join and for as long as their Membership lives
};

/// Describes the options of a team. Environment variables override them: see Team.
struct TeamOptions {
  Threads threads = Threads::own;  ///< whose threads the nodes are
  Wait wait = Wait::automatic;     ///< how nodes wait
  /// Says how long a node polls before it parks, whatever `wait` is: 0 parks at once, and
  /// std::chrono::nanoseconds::max() never. Who is woken goes on some microseconds later, 50 on some virtual
  /// machines. By default that depends on `wait`. The team's constructor throws UsageError for a negative
  /// one.
  std::optional<std::chrono::nanoseconds> spin{};
  ChannelEngine channel = ChannelEngine::line;  ///< the queue of every link
  /// Says whether each node is pinned to its PU during a run: see `pus`. By default the team's own threads
  /// are, and threads that join are not.
  std::optional<bool> pin{};
  /// Says whether the thread that calls run() stays pinned between runs, until the team ends or another
  /// thread calls run(), so that a run needs no system call. This serves measurements of short runs. What the
  /// thread starts meanwhile, OpenMP's threads for example, runs on its PU only.
  bool keep_caller_pinned = false;
  /// The PU of each node: a policy's name, or a list of the operating system's PU numbers, "0,2,8-11", as
  /// mapping_by (vnode/lab/mapping_policy.hpp) reads it for the team's topology and the process's cpuset; the
  /// team's constructor throws what mapping_by throws. If empty, `pus` holds, or else the policy compact (but
  /// see `arenas`). A policy takes the cores, and within them the PUs, that the fewest nodes of the process's
  /// other teams use (and other processes' with `share`), as long as the team gets as many cores, and no more
  /// nodes on a PU, than it would alone. A list is taken as it is.
  std::string mapping{};
  /// The PU of each node by rank, as an index into Machine::discover().pus, instead of a mapping; nodes may
  /// share a PU. If nodes are not pinned, the PUs only tell whether every node has a core of its own, which
  /// decides how nodes wait and copy, and of threads that join only as far as these may run there. The team's
  /// constructor throws UsageError if there is also a mapping, if there are not as many PUs as nodes, or if a
  /// PU does not exist, and SystemError if the process may not use a PU.
  std::vector<int> pus{};
  /// Says which teams divide the PUs among themselves: "process", those of this process; "host", also those
  /// of other processes of this user on the host that say the same; or a folder, an absolute path,
  /// also those of processes that name the same one, of several users or containers for example. Each team
  /// takes those PUs that the others use least, and keeps its claim until it ends; that of a process that is
  /// killed ends with it. What other processes had claimed is in the report. The team's constructor throws
  /// UsageError for another text, and SystemError if the folder cannot be used.
  std::string share = "process";
  /// The NUMA nodes on which the ports' buffers lie: channels, and what Team::buffer makes. By default that
  /// is the owner's, on a machine with several NUMA nodes; a node that is not pinned is near none, and its
  /// buffers lie anywhere. Scratch and boards belong to no single port: where the ports' buffers lie on
  /// several NUMA nodes, scratch is interleaved over all of them, and boards lie on the owner's.
  std::optional<Banks> banks{};
  /// Says whether memory that cannot lie on the NUMA nodes asked for is a SystemError, thrown by the team's
  /// constructor or within a run. Otherwise it lies elsewhere, and the report tells what was refused.
  bool strict_banks = false;
  /// Gives each node an Arena: its share of the PUs of its domain of this level, with threads that help it
  /// with large combines and copies, and do whatever else the node gives them. By default there is none. A
  /// team with arenas but neither a mapping nor `pus` has one node in each domain or, if it has more nodes
  /// than there are domains, the scatter mapping.
  std::optional<DomainLevel> arenas{};
  /// The size in bytes from which arenas help with a node's copies, and with its combines by standard
  /// operators on arithmetic types. Other operators may have a state, so only the node's own thread calls
  /// them. Arenas never help below 32 KiB. The default is a guess.
  std::size_t arenas_from = std::size_t{512} << 10;
  /// Says whether node 0 has a thread of its own instead of running on the thread that calls run(). This and
  /// keep_caller_pinned are a UsageError for a team of callers.
  bool apart = false;
  /// Says whether collective, count, type, root and operator of all nodes are compared before every call; in
  /// a cluster of those of each process.
  bool checked = false;
  /// Says whether every combining call behaves as if CallOptions::deterministic were set.
  bool deterministic = false;
  /// Says whether calls are counted and timed: see Team::statistics. An 8-byte call then takes some tens of
  /// nanoseconds more; otherwise none.
  bool statistics = false;
  /// The time after which a waiting call of the user's throws TimeLimitExceeded, which names what every node
  /// waits for, and join() the nodes that are missing; zero means no limit. The team's constructor throws
  /// UsageError for a negative one. vnode's own measurements have no limit.
  std::chrono::nanoseconds time_limit{0};
  /// Says whether a deadlock that is certain is named, by Deadlock: all nodes wait in calls of the team or
  /// have left the run, and nothing is on its way to any of them. It costs nothing before a node has waited
  /// for 10 ms. A program whose nodes wait for ever until another thread ends the process may want to do
  /// without.
  bool deadlocks = true;
  /// Overrides of the choice of algorithm: "broadcast=binomial;reduce=direct:64K-max".
  std::string algorithms{};
  /// The costs of messages, by which algorithms are chosen, and the lengths from which messages travel
  /// otherwise. If not given, two threads measure them when a call first needs them: to choose an algorithm,
  /// or where p m exceeds 256 bytes. Short calls whose algorithms are named never do. In a cluster they are
  /// typical ones then.
  std::optional<CostModel> costs{};
  /// The eager limit: messages of up to this many bytes travel in the channel's lines, longer ones by
  /// rendezvous. A channel carries a certain number of bytes at most; greater limits count as that. The
  /// default is CostModel::eager_to of `costs` where every node has a core of its own, but 512 for messages
  /// outside of collectives and collectives with a count for each rank; elsewhere it is the most that a
  /// channel carries.
  std::optional<std::size_t> inline_to{};
  /// The size in bytes from which both ends copy a message, each as much as lets them end together. The
  /// default is CostModel::shared_from of `costs` where every node has a core of its own, but 8 KiB for
  /// messages outside of collectives; elsewhere only one end copies.
  std::optional<std::size_t> shared_from{};
};

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

/// A team is p threads that act as the virtual nodes of a topology. The threads are started once and serve
/// every run; or else they are the program's, and a run lasts from when p of them have joined until they have
/// left: see Membership (vnode/join.hpp).
///
/// A team uses the PUs that the process may use, whatever the thread that makes it is bound to (see
/// Machine::discover in vnode/lab/machine.hpp); a CPU quota of a cgroup counts as so many cores. Where
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
/// VNODE_TIME_LIMIT, VNODE_DEADLOCKS, VNODE_BANKS, VNODE_ARENAS, VNODE_STATS and VNODE_ALGORITHM override the
/// options.
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
  /// Returns the calls recorded since the last time (vnode/lab/trace.hpp). Callable between runs only.
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
  /// Returns the NUMA nodes of the ports' buffers (vnode/lab/port_banks.hpp); nullopt where they lie
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
