#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/cost_model.hpp>
#include <vnode/numa.hpp>

#pragma GCC visibility push(default)
namespace vnode {

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
namespace enums {
/// Returns "auto", "spin", "yield" or "park".
std::string_view name(Wait wait);
}
/// Returns all ways to wait, in the order of the enumeration.
std::span<const Wait> waits();

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

/// Says what the nodes of a team run as.
enum class Nodes {
  threads,  ///< each on a thread of its own
  /// Nodes of one PU share a thread, their carrier: each has a stack of its own, and lets the next one run
  /// when it waits in a call, in some ten nanoseconds. A node that blocks its thread otherwise (a mutex held
  /// across a call, std::barrier, a read() from a pipe) blocks all nodes of its carrier, and thread_local
  /// objects are the carrier's: such bodies need threads.
  fibers,
};
namespace enums {
/// Returns "threads" or "fibers".
std::string_view name(Nodes nodes);
}
/// Returns all of these, in the order of the enumeration.
std::span<const Nodes> all_nodes();

/// Describes the options of a team. Environment variables override them: see Team.
struct TeamOptions {
  Threads threads = Threads::own;  ///< whose threads the nodes are
  Wait wait = Wait::automatic;     ///< how nodes wait; if they are fibers, how their carriers do
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
  /// mapping_by (vnode/model/mapping_policy.hpp) reads it for the team's topology and the process's cpuset;
  /// the team's constructor throws what mapping_by throws. If empty, `pus` holds, or else the policy compact
  /// (but see `arenas`). A policy takes the cores, and within them the PUs, that the fewest nodes of the
  /// process's other teams use (and other processes' with `share`), as long as the team gets as many cores,
  /// and no more nodes on a PU, than it would alone. A list is taken as it is.
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
  /// or where p m exceeds 256 bytes. Short calls whose algorithms are named never do. In a cluster, and where
  /// nodes share cores, they are typical ones then.
  std::optional<CostModel> costs{};
  /// The profile of the machine, a file or a name, whose times (`vnode tune`) choose algorithms before any
  /// prediction does; "none" for none. If not given, it is the kept one, ~/.config/vnode/profile.json, where
  /// that is about this machine, but none if `costs` are given. It is read when an algorithm is first chosen;
  /// one that is asked for when the team is made, which throws SystemError if it cannot be read and
  /// UsageError if it is no profile. In a cluster there is none, since every process would have its own.
  std::string profile{};
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
  /// Says what nodes run as; if not given, VNODE_NODES does, and else they are threads. A team whose body
  /// needs threads says so here. Fibers are for more nodes than PUs: where every node has a PU to itself they
  /// are threads whatever this says, and so are nodes that join.
  std::optional<Nodes> nodes{};
  /// The size in bytes of the stack of each node that is a fiber: address space, which takes memory as far as
  /// it is touched. A node that needs more ends the process with a sentence that names the node.
  std::size_t stack = std::size_t{256} << 10;
};

}  // namespace vnode
#pragma GCC visibility pop
