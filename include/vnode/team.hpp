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

class PortBanks;
struct Trace;

/// What a node does while it waits.
enum class Wait {
  /// With a core for every node: spins, and yields when the wait has lasted longer than 0.1 ms. Otherwise:
  /// yields for about 1 ms, then parks.
  automatic,
  spin,   ///< never gives its core away
  yield,  ///< lets others run between two looks
  park,   ///< sleeps in the kernel until its doorbell rings
};

/// Which queue carries the lines of a link.
enum class ChannelEngine {
  line,   ///< flag and payload in one cache line, credits returned lazily
  boost,  ///< boost::lockfree::spsc_queue
};

/// How a team works. Environment variables override it: see Team.
struct TeamOptions {
  Wait wait = Wait::automatic;                  ///< what nodes do while they wait
  ChannelEngine channel = ChannelEngine::line;  ///< of every link
  /// Pins each node to its PU while it runs: see `pus`.
  bool pin = true;
  /// The thread that calls run() stays pinned between runs, until the team ends or another thread calls, so
  /// that a run needs no system call: for measurements of short runs. What it starts meanwhile, OpenMP's
  /// threads for example, runs on its PU only.
  bool keep_caller_pinned = false;
  /// Which PU each node is put on: a policy's name or a list of the system's numbers, "0,2,8-11", as
  /// mapping_by (mapping_policy.hpp) reads it, for the team's topology and inside the process's allowed
  /// cpuset. Empty: compact, unless there are `pus`. The team's constructor throws as mapping_by does. A
  /// policy goes by the cores, and of these by the PUs, that the nodes of the process's other teams use
  /// least, where the team finds as many of them as it would have alone: see Team. A list is taken as it is.
  std::string mapping{};
  /// Instead of a mapping, by rank: the PU that a node is put on, an index into Machine::discover().pus;
  /// several may share one. If nodes are not pinned, the PUs only tell whether every node has a core of its
  /// own, which decides how nodes wait and copy. The team's constructor throws UsageError if there is a
  /// mapping too, if there are not as many as nodes or there is no such PU, SystemError if the process may
  /// not use it.
  std::vector<int> pus{};
  /// Which banks the ports' buffers lie on: channels, and what Team::buffer makes. By default the owner's, on
  /// a machine with several; that of a node which is not pinned is not known. Scratch and boards are of no
  /// one port: scratch lies on all banks in turn where the ports' buffers lie on several, boards on the
  /// owner's.
  std::optional<Banks> banks{};
  /// SystemError, from the team's constructor or within a run, instead of memory elsewhere than on the banks
  /// asked for; the report tells what would be refused.
  bool strict_banks = false;
  /// Each node has an Arena: its share of the PUs of its domain of this level, and threads for them, who help
  /// it with large combines and copies and do what else it gives them. By default none. A team that has no
  /// mapping and no `pus` then has a node in each domain, or, if it has more nodes, the scatter mapping.
  std::optional<DomainLevel> arenas{};
  /// From how many bytes on arenas help with a node's copies, and its combines by standard operators on
  /// arithmetic types: others may have a state, and are called by the node's own thread only. Not below
  /// 32 KiB. The default is a guess.
  std::size_t arenas_from = std::size_t{512} << 10;
  /// Node 0 gets a thread of its own instead of running on the thread that calls run().
  bool apart = false;
  /// Compares collective, count, type, root and operator of all nodes before every call.
  bool checked = false;
  /// Every combining call is as if CallOptions::deterministic were set.
  bool deterministic = false;
  /// A call of the user's that waits longer throws TimeLimitExceeded, which names what every node waits for.
  /// Zero: no limit. The team's constructor throws UsageError for less. What vnode itself measures before the
  /// first run has no limit.
  std::chrono::nanoseconds time_limit{0};
  /// Overrides of the choice of algorithm: "broadcast=binomial;reduce=direct:64K-max".
  std::string algorithms{};
  /// What messages cost, for the choice of algorithms; by default it is measured before the first run.
  std::optional<CostModel> costs{};
  /// Messages up to this many bytes travel in the channel's lines, at most what a channel can carry; by
  /// default 512 where every node has a core of its own, and the most elsewhere.
  std::optional<std::size_t> inline_to{};
  /// Messages from this many bytes on are copied by both their ends, each as much as lets them end together;
  /// by default from 16 KiB where every node has a core of its own, and never elsewhere.
  std::optional<std::size_t> shared_from{};
};

/// Memory that a team has for one of its nodes: all of it that is asked for on one bank.
struct OwnedMemory {
  Rank owner = 0;        ///< the node
  bool scratch = false;  ///< scratch of its calls; else channels, boards and the like
  int bank = 0;          ///< asked for: an index into Machine::numas, every_bank or any_bank
  PageAudit pages = {};  ///< where it lies
  std::vector<std::string> degraded = {};  ///< what was refused, a sentence each

  /// Pages that lie on another bank than on the one asked for.
  std::size_t elsewhere() const;
};

/// p threads that act as the virtual nodes of a topology. Threads are started once and reused by every run.
///
/// Teams that exist at the same time share out the PUs of the process: each takes those that the others'
/// nodes use least, in the order in which they are made, and its report names those that it shares. A node is
/// pinned while a run is on; the thread that calls run(), which is node 0, has its affinity back when run()
/// returns (two system calls, some microseconds: see TeamOptions::keep_caller_pinned). What a node starts
/// meanwhile inherits its PU, unless it is started beside an Unpinned (vnode/unpinned.hpp).
///
/// A node may call exit(), which ends the process with its code, whatever other nodes do. In a child of
/// fork() the parent's teams are of no use (UsageError) and may be destroyed; new ones work.
///
/// VNODE_WAIT, VNODE_CHANNEL, VNODE_PIN, VNODE_MAPPING, VNODE_CHECKED, VNODE_TIME_LIMIT, VNODE_BANKS,
/// VNODE_ARENAS and VNODE_ALGORITHM override the options.
///
///     vnode::Team team{8, vnode::hypercube{}};
///     team.run([](vnode::Node& me) {
///       std::vector<double> x(1000, me.rank());
///       me.broadcast(x, 3);
///     });
class Team {
 public:
  /// Throws UsageError if `nodes` < 1, > 32768 or not what `shape` has, SystemError if threads or
  /// memory are refused.
  explicit Team(int nodes, const Shape& shape = full{}, const TeamOptions& options = {});
  /// Ends its threads. Within a run it ends nothing, so that a node may call exit().
  ~Team();
  /// Leaves a team without nodes behind: UsageError whatever it is asked for.
  Team(Team&& other) noexcept;
  /// Ends its own threads as its destructor does; leaves a team without nodes behind.
  Team& operator=(Team&& other) noexcept;

  /// p.
  int size() const;
  /// What `shape` becomes with p nodes.
  const Topology& topology() const;

  /// Between runs: what messages between all nodes cost, as given, or measured, which takes some milliseconds
  /// once.
  const CostModel& costs();

  /// Calls body(node) on every node and returns when all have returned. Rethrows the first exception that
  /// left a node; the team is usable afterwards. One run at a time: UsageError within a run of the same team,
  /// and while another thread's is on. A body may run another team.
  template <class Body>
  void run(Body&& body) {
    using Callable = std::remove_reference_t<Body>;
    run_on_all([](void* callable, Node& node) { (*static_cast<Callable*>(callable))(node); },
               const_cast<void*>(static_cast<const void*>(std::addressof(body))));
  }

  /// Between runs: from the next run on, every node records what it does in collective calls, up to `events`
  /// events of 56 bytes each (a message is one at each of its ends, or two), and counts what it has no room
  /// for; 0: no more. What was recorded before is lost. A step costs some 50 ns more then, and nothing
  /// otherwise. Throws SystemError if there is no memory for that.
  void trace(std::size_t events);
  /// Between runs: the calls that were recorded since the last time (vnode/lab/trace.hpp).
  Trace take_trace();

  /// Memory for `count` elements of node `owner`, cut into `pieces` equal pieces (0: one for each of its
  /// ports), of which piece i lies on the bank of port i, and on from the first when there are no more ports:
  /// all-port algorithms send their messages so. The owner should touch it first. Errors as of Pages.
  template <class T>
  PlacedBuffer<T> buffer(Rank owner, std::size_t count, int pieces = 0) const {
    return PlacedBuffer<T>(port_pages(owner, count, sizeof(T), pieces));
  }
  /// Between runs: where the memory lies that the team has made so far.
  std::vector<OwnedMemory> memory() const;
  /// The policy of the ports' buffers (vnode/lab/port_banks.hpp); nothing where they lie anywhere.
  std::optional<PortBanks> port_banks() const;

  /// Bytes of channel memory in use by this team.
  std::size_t channel_bytes() const;
  /// Bytes of scratch in use by this team.
  std::size_t scratch_bytes() const;
  /// Between runs, text for a person: nodes, topology, cores, mapping, pinning, arenas, waiting, channel,
  /// where nodes run and their memory lies, what was degraded and why, overrides from the environment.
  std::string report() const;

 private:
  struct State;
  State& state() const;
  void run_on_all(void (*call)(void*, Node&), void* body);
  Pages port_pages(Rank owner, std::size_t count, std::size_t element_bytes, int pieces) const;
  std::unique_ptr<State> state_;
};

}  // namespace vnode
#pragma GCC visibility pop
