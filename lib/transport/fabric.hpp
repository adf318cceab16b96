#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <vnode/model/memory_banks.hpp>
#include <vnode/pages.hpp>
#include <vnode/rank.hpp>

#include "base/doorbell.hpp"
#include "base/this_thread.hpp"
#include "channel/channel.hpp"
#include "channel/context.hpp"
#include "channel/memory.hpp"
#include "channel/processes.hpp"
#include "channel/ticket.hpp"
#include "channel/wire.hpp"
#include "fiber/carrier.hpp"
#include "record/deadlock_detector.hpp"
#include "record/journal.hpp"
#include "record/run_watch.hpp"

namespace vnode {

/// Returns the placement of pages on a bank, on every_bank or on any_bank.
PagePlacement placement_on(int bank, bool strict);

/// Describes where memory is to lie, and whose it is.
struct SlabPlace {
  int bank = any_bank;
  int owner_pu = -1;    ///< os index of the PU the owner runs on; -1: any
  bool strict = false;  ///< throw SystemError if memory cannot lie there
  bool dense = false;   ///< most of it will be used soon: its pages are touched at once
};

/// Holds memory that one node owns on one bank. It is handed out in order and given back all at once. If the
/// system refuses to bind it, it is touched first on the owner's PU.
class Slab final : public LineMemory {
 public:
  explicit Slab(const SlabPlace& place) : place_(place) {}

  std::byte* allocate(std::size_t bytes) override;
  /// Takes memory for so many bytes, in huge pages if it fills some.
  void reserve(std::size_t bytes);
  /// Makes an object in this memory. Whoever makes it destroys it, if it needs that.
  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    static_assert(alignof(T) <= two_lines);
    return new (allocate(sizeof(T))) T(std::forward<Arguments>(arguments)...);
  }
  /// Returns how many bytes were handed out, alignment included.
  std::size_t used() const { return used_; }
  int bank() const { return place_.bank; }
  /// Returns whether the system has refused anything.
  bool degraded() const;
  const std::vector<Pages>& pages() const { return pages_; }

 private:
  SlabPlace place_;
  std::vector<Pages> pages_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t used_ = 0;
};

/// Holds what one node shows to the others.
struct SharedNodeState {
  explicit SharedNodeState(Fencing fencing) : doorbell(fencing) {}

  Doorbell doorbell;
  Journal journal;
  /// Is 1 while the node touches a peer's memory, and 2 while it waits in quiesce() meanwhile. It makes a
  /// handshake with Fabric::aborted: see Guard and Fabric::quiesce.
  alignas(cache_line) std::atomic<std::uint32_t> inside{0};
  /// Is not 0 if the node's body has returned in this run.
  std::atomic<std::uint32_t> left{0};
  /// Is that of the thread that has last yielded as the node. Relaxed: nothing is read by it.
  std::atomic<RunClock> clock{no_clock};
  Fiber* fiber = nullptr;  ///< what the node runs as, if not as a thread
};

struct FabricOptions {
  int nodes = 1;
  bool boost = false;     ///< use Boost's queue instead of the line ring
  bool deadlocks = true;  ///< whether certain deadlocks are reported
  /// Says who executes a fence where nodes sleep: both sides if nodes share cores, so that many sleep.
  Fencing fencing = Fencing::rare_side;
  /// A wait that has been in vain for so long counts in the DeadlockDetector; after a fifth of it the node
  /// examines whether the wait can still end. Nodes that work together wait for each other much less, unless
  /// other threads have their cores.
  std::chrono::nanoseconds long_wait = std::chrono::milliseconds(10);
  std::vector<int> banks;     ///< by rank: the bank of what the node owns; empty: any_bank
  std::vector<int> pus;       ///< by rank: os index of the PU it runs on; empty: any
  std::vector<int> carriers;  ///< by rank: the thread that it runs on with others; empty: each has its own
  /// Gives the bank of the memory that `to` receives messages from `from` in; if empty, it is the bank of
  /// what `to` owns.
  std::function<int(Rank from, Rank to)> bank_between;
  /// Finds a call that has been planned lately, by its signature, for reports; if empty, none is known.
  std::function<std::optional<PlannedCall>(std::uint32_t signature)> planned;
  /// Gives the nodes of a group that a split has made, by its context, for reports; none if the group has
  /// ended.
  std::function<std::vector<Rank>(std::uint16_t context)> nodes_of;
  bool strict_banks = false;               ///< throw SystemError if memory cannot lie on its bank
  std::chrono::nanoseconds time_limit{0};  ///< for the last wait of a failed run; 0: none
  Transport* transport = nullptr;  ///< leads to the nodes of other processes; null: all nodes are here
  std::size_t budget = 64 << 20;   ///< bytes for all channels, if every link is used
};

/// Describes a channel that has been made.
struct ChannelRecord {
  Rank from, to;
  Channel* channel;
  const ChannelRecord* earlier;  ///< the next older one to the same receiver
};

/// Describes that two nodes have made different calls under one number.
struct DifferentCalls {
  Rank me, peer;
  std::uint16_t context;
  std::uint32_t call;
};

/// Holds everything that the nodes of a team share: shared states, cells, and channels, which are made on
/// first use.
class Fabric {
 public:
  explicit Fabric(FabricOptions options);
  ~Fabric();
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  int nodes() const { return options_.nodes; }
  /// Returns the processes that the nodes are in, or null if all nodes are in this process.
  const Processes* processes() const { return processes_ ? &*processes_ : nullptr; }
  Transport* transport() const { return options_.transport; }
  bool is_here(Rank rank) const { return !processes_ || processes_->is_here(rank); }
  SharedNodeState& shared(Rank rank) { return *shared_[static_cast<std::size_t>(rank)]; }
  /// Returns the carriers of these nodes, if nodes are fibers.
  std::vector<int> carriers_of(const std::vector<Rank>& nodes) const;
  /// Returns the context of all nodes.
  const Context& world() const { return *world_; }
  /// Makes `cells` more cells for a node, one after the other in memory. Throws std::bad_alloc.
  Cell* make_cells(Rank owner, std::size_t cells);
  /// Returns where the channel of the link from -> to is noted, null until it is made. In the table of all
  /// links those from one node follow each other, and those to one node are nodes() apart.
  std::atomic<Channel*>& link(Rank from, Rank to) {
    return reinterpret_cast<std::atomic<Channel*>*>(
        channels_.data())[static_cast<std::size_t>(from) * static_cast<std::size_t>(options_.nodes) +
                          static_cast<std::size_t>(to)];
  }
  /// Returns the channel of the link from -> to. Either end may call it; the first call makes the channel.
  /// Throws std::bad_alloc.
  Channel& channel(Rank from, Rank to);
  /// Returns the newest of the channels to a node, whichever end has made it; nullptr if there is none.
  const ChannelRecord* newest_to(Rank to) const {
    return newest_[static_cast<std::size_t>(to)].load(std::memory_order_acquire);  // pairs with (c)
  }
  /// Returns the number of lines in each channel: as many as the budget allows if every link is used, 8 to
  /// 64.
  std::size_t capacity() const { return capacity_; }
  /// Returns the bytes of payload that every channel of this fabric can carry in lines.
  std::size_t max_inline() const;
  std::size_t channel_bytes() const { return channel_bytes_.load(std::memory_order_relaxed); }
  /// Calls visit(owner, slab) for all memory of the fabric.
  void each_slab(const std::function<void(Rank, const Slab&)>& visit);

  /// Says that the node is a fiber from now on. Is called between runs.
  void set_fiber(Rank rank, Fiber& fiber) {
    shared(rank).fiber = &fiber;
    has_fibers_ = true;
  }
  /// Returns whether a node sleeps or is about to, so that it may miss what has been stored before. The
  /// handshake is the doorbell's, whose barrier comes after (b), too: one look at a word that hardly changes
  /// spares a node that stores for many a look at each of their doorbells.
  bool some_sleep() {
    if (has_fibers_) return true;
    if constexpr (sanitized_threads) return sleepers_.fetch_add(0, std::memory_order_acq_rel) != 0;  // (a)
    light_barrier(options_.fencing);  // pairs with heavy_barrier() in Doorbell::sleep()
    return sleepers_.load(std::memory_order_relaxed) != 0;
  }
  /// Wakes `rank` if it sleeps. Is called after a store that `rank` may wait for.
  void ring(Rank rank) {
    if (some_sleep()) [[unlikely]]
      ring_bell(rank);
  }
  /// Wakes all members that sleep. Is called after a store that they may wait for.
  void ring_all(const Context& context) {
    if (some_sleep()) ring_each(context);
  }
  void ring_all() { ring_all(world()); }
  /// Wakes one node that has not left the run, if it sleeps, so that it looks again.
  void ring_one_that_waits();
  /// Lets others run, who may be what the node waits for.
  void yield(Rank rank) {
    if (Fiber* const fiber = shared(rank).fiber)
      fiber->yield();
    else
      std::this_thread::yield();
  }
  /// Lets the node sleep: see Doorbell::sleep() and Fiber::sleep().
  template <class Ready, class Longest>
  bool sleep(Rank rank, Ready&& ready, Longest&& longest) {
    if (Fiber* const fiber = shared(rank).fiber) {
      const bool done = ready();
      if (!done) fiber->sleep(longest());
      return done;
    }
    // A read-modify-write, as in Doorbell for those who test with a sanitizer; else relaxed would do, since
    // the doorbell's barrier comes before ready().
    sleepers_.fetch_add(1, std::memory_order_acq_rel);  // (b) pairs with (a)
    struct Awake {
      std::atomic<std::uint32_t>& sleepers;
      ~Awake() { sleepers.fetch_sub(1, std::memory_order_acq_rel); }
    } awake{sleepers_};
    return shared(rank).doorbell.sleep(ready, longest);
  }

  /// Returns what finds out whether all nodes wait, and none will ever go on.
  DeadlockDetector& detector() { return detector_; }
  bool names_deadlocks() const { return options_.deadlocks; }
  /// Returns what names mismatches, and finds deadlocks of several processes.
  RunWatch& watch() const { return *watch_; }
  /// Returns RunWatch::cluster_detector().
  ClusterDeadlockDetector* cluster_detector() const { return watch_->cluster_detector(); }
  std::chrono::nanoseconds long_wait() const { return options_.long_wait; }
  /// Sets FabricOptions::fencing and long_wait from now on. Is called between runs.
  void set_waits(Fencing fencing, std::chrono::nanoseconds long_wait) {
    options_.fencing = fencing;
    options_.long_wait = long_wait;
    for (SharedNodeState* const shared : shared_) shared->doorbell.set_fencing(fencing);
  }

  /// Returns a call that has been planned lately, by its signature, or nothing.
  std::optional<PlannedCall> planned(std::uint32_t signature) const {
    return options_.planned ? options_.planned(signature) : std::nullopt;
  }
  /// Returns the nodes, by rank, of the group whose context, or whose messages' context, this is; none if it
  /// has ended.
  std::vector<Rank> nodes_of(std::uint16_t context) const;

  /// Returns whether something has failed; then every wait ends with Aborted.
  bool aborted() const { return aborted_.load(std::memory_order_relaxed); }
  /// Throws Aborted, which says what has failed, if something has.
  void check_aborted() {
    if (aborted()) throw_aborted();
  }
  [[noreturn]] void throw_aborted();
  /// Aborts the run because the exception `reason` has left `node`. The first reason is kept for the run to
  /// rethrow; one that is null or a mere consequence of another failure, only until there is a better one. It
  /// works without free memory, but then the others are told less.
  void abort(Rank node, std::exception_ptr reason, bool consequence = false) noexcept;
  /// Returns the text of the abort for the other processes, but only once: to the first caller, and only if
  /// no other process has told of the abort.
  std::optional<std::string> take_unreported_abort();
  /// Note what a node of another process has said that it does, and return the last that it has said in this
  /// run.
  void note_status(Rank node, std::string status);
  std::string noted_status(Rank node);
  /// Notes that a node has made a different call than one of another process, which alone knows what its call
  /// was. The first such calls are kept for the run's end.
  void note_different(const DifferentCalls& calls);
  std::optional<DifferentCalls> different();
  /// Aborts the run because another process has failed, with this sentence.
  void abort_from_outside(const std::string& sentence);
  std::chrono::nanoseconds time_limit() const { return options_.time_limit; }
  /// Ends all processes, since the wire does not give back memory of a run that has failed. Writes `why`.
  [[noreturn]] void end_job(std::string_view why);
  /// Leaves the exception that has left `node` to its thread alone from now on: if it was the reason of the
  /// abort, only its text is kept.
  void keep_cause_only(Rank node);
  /// Waits until no other node touches a peer's memory; after abort() none will begin to. If it is called by
  /// an operator of node `me`'s own call, which may touch a peer's memory itself, it does not wait for nodes
  /// whose operators do the same, since each would wait for the other.
  void quiesce(Rank me) noexcept;
  /// Declares that `rank` touches a peer's memory; returns false if it must not, since the team is aborting.
  bool enter(Rank rank);
  void leave(Rank rank) { shared(rank).inside.store(0, std::memory_order_release); }  // pairs with quiesce()

  /// Returns, between runs, a sentence that names a message which nobody received, or nothing.
  std::string unreceived();
  /// Returns, between runs, the reason of the abort that was kept, or null.
  std::exception_ptr failure();
  /// Forgets, between runs, all messages, publications and the abort.
  void reset();
  /// Prepares the next run: no node has left it, and what nodes of other processes have said of themselves is
  /// forgotten.
  void end_run();

 private:
  void ring_each(const Context& context);
  void ring_bell(Rank rank);
  Slab& slab(Rank owner, int bank);
  int own_bank(Rank owner) const;

  FabricOptions options_;
  std::optional<Processes> processes_;
  std::size_t capacity_;
  std::map<std::pair<Rank, int>, Slab> slabs_;  // by owner and bank; guarded by making_
  std::vector<SharedNodeState*> shared_;
  std::vector<MemberState*> member_states_;
  std::optional<Context> world_;
  std::vector<Rank> owners_;  // by rank: the node with whose memory its own lies, one for each carrier
  Pages channels_;  // the links' std::atomic<Channel*>, by from * nodes + to: zero until one is made
  std::unique_ptr<std::atomic<const ChannelRecord*>[]> newest_;  // by receiver
  std::mutex making_;
  std::deque<ChannelRecord> made_;  // its elements stay where they are
  std::atomic<std::size_t> channel_bytes_{0};
  std::string cause_;           // what others are told of the abort; guarded by making_, as are the next five
  bool has_cause_ = false;      // whether failure_ is set
  std::exception_ptr failure_;  // the reason that is kept
  bool consequence_ = false;    // whether failure_ is a mere consequence
  Rank failed_ = 0;             // the node that failure_ has left
  bool told_ = false;           // whether other processes have been told of the abort, or one has told of it
  std::optional<DifferentCalls> different_;  // guarded by making_
  std::map<Rank, std::string> statuses_;     // of nodes of other processes; guarded by making_
  DeadlockDetector detector_;
  const std::unique_ptr<RunWatch> watch_;
  alignas(cache_line) std::atomic<bool> aborted_{false};
  bool has_fibers_ = false;                 // some nodes are fibers, of which some sleep all the time
  std::atomic<std::uint32_t> sleepers_{0};  // in the line of what every call reads and no call writes
};

/// Declares, for as long as it lives, that a node touches a peer's memory. Its constructor throws Aborted
/// when the team is aborting.
class Guard {
 public:
  Guard(Fabric& fabric, Rank rank);
  ~Guard() { fabric_.leave(rank_); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Fabric& fabric_;
  Rank rank_;
};

}  // namespace vnode
