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
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <vnode/lab/memory_banks.hpp>
#include <vnode/pages.hpp>
#include <vnode/rank.hpp>

#include "base/doorbell.hpp"
#include "channel/channel.hpp"
#include "channel/memory.hpp"
#include "channel/wire.hpp"
#include "runtime/context.hpp"
#include "runtime/journal.hpp"
#include "runtime/processes.hpp"
#include "runtime/standstill.hpp"
#include "runtime/ticket.hpp"

namespace vnode {

class JointStandstill;

/// Pages on a bank, every_bank or any_bank.
PagePlacement placement_on(int bank, bool strict);

/// Where memory is to lie, and whose it is.
struct SlabPlace {
  int bank = any_bank;
  int owner_pu = -1;    ///< os index of the PU the owner runs on; -1: any
  bool strict = false;  ///< SystemError where that cannot be
};

/// Memory that one node owns on one bank: handed out in order and given back together. Where the system
/// refuses to bind it, it is touched first on the owner's PU.
class Slab final : public LineMemory {
 public:
  explicit Slab(const SlabPlace& place) : place_(place) {}

  std::byte* allocate(std::size_t bytes) override;
  /// Bytes handed out, alignment included.
  std::size_t used() const { return used_; }
  int bank() const { return place_.bank; }
  /// Whether the system has refused anything.
  bool degraded() const;
  const std::vector<Pages>& pages() const { return pages_; }

 private:
  SlabPlace place_;
  std::vector<Pages> pages_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t used_ = 0;
};

/// What one node shows to the others.
struct Presence {
  explicit Presence(Fencing fencing) : doorbell(fencing) {}

  Doorbell doorbell;
  Journal journal;
  /// 1 while the node touches a peer's memory, 2 while it waits in quiesce() meanwhile. Handshake with
  /// Fabric::aborted: see Guard and Fabric::quiesce.
  alignas(cache_line) std::atomic<std::uint32_t> inside{0};
  /// The node's body has returned in this run.
  std::atomic<std::uint32_t> left{0};
};

struct FabricOptions {
  int nodes = 1;
  bool boost = false;     ///< Boost's queue instead of the line ring
  bool deadlocks = true;  ///< those that are certain are named
  /// Who fences where nodes sleep: both sides where they share cores, so that many sleep.
  Fencing fencing = Fencing::rare_side;
  /// After so long in vain a wait counts in the standstill, after a fifth of it the node looks whether it can
  /// still end. Nodes that work together wait for each other much less, unless others have their cores.
  std::chrono::nanoseconds long_wait = std::chrono::milliseconds(10);
  std::vector<int> banks;  ///< by rank: of what the node owns; empty: any_bank
  std::vector<int> pus;    ///< by rank: os index of the PU it runs on; empty: any
  /// Of what `to` receives from `from` in; empty: that of what `to` owns.
  std::function<int(Rank from, Rank to)> bank_between;
  /// The calls that have been planned lately, by signature, for reports; empty: none is known.
  std::function<std::optional<PlannedCall>(std::uint32_t signature)> planned;
  /// The nodes of a group that a split has made, by its context, for reports; none if it has ended.
  std::function<std::vector<Rank>(std::uint16_t context)> nodes_of;
  bool strict_banks = false;               ///< SystemError where memory cannot lie there
  std::chrono::nanoseconds time_limit{0};  ///< of the last wait of a run that has failed; 0: none
  Transport* transport = nullptr;  ///< leads to the nodes of other processes; null: all nodes are here
  std::size_t budget = 64 << 20;   ///< bytes for all channels, if every link is used
};

/// A channel that has been made.
struct Made {
  Rank from, to;
  Channel* channel;
  const Made* earlier;  ///< of the same receiver's
};

/// Two nodes have made different calls under one number.
struct DifferentCalls {
  Rank me, peer;
  std::uint16_t context;
  std::uint32_t call;
};

/// Everything that the nodes of a team share: presences, cells, and channels made on first use.
class Fabric {
 public:
  explicit Fabric(FabricOptions options);
  ~Fabric();
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  int nodes() const { return options_.nodes; }
  /// The processes that the nodes are in: null if all are here.
  const Processes* processes() const { return processes_ ? &*processes_ : nullptr; }
  bool is_here(Rank rank) const { return !processes_ || processes_->is_here(rank); }
  Presence& presence(Rank rank) { return *presences_[static_cast<std::size_t>(rank)]; }
  /// Of all nodes.
  const Context& world() const { return *world_; }
  /// More cells for a node: `cells` of them, one after the other. Throws std::bad_alloc.
  Cell* make_cells(Rank owner, std::size_t cells);
  /// The channel of the link from -> to. Both ends may ask; the first makes it. Throws std::bad_alloc.
  Channel& channel(Rank from, Rank to);
  /// The newest of the channels to a node that have been made, by whichever end; nullptr: there is none.
  const Made* newest_to(Rank to) const {
    return newest_[static_cast<std::size_t>(to)].load(std::memory_order_acquire);  // pairs with (c)
  }
  /// Lines in each channel: as many as the budget allows if every link were used, 4 to 64.
  std::size_t capacity() const { return capacity_; }
  /// Payload that every channel of this fabric can carry in lines.
  std::size_t max_inline() const;
  std::size_t channel_bytes() const { return channel_bytes_.load(std::memory_order_relaxed); }
  /// Calls visit(owner, slab) for all memory of the fabric.
  void each_slab(const std::function<void(Rank, const Slab&)>& visit);

  /// Called after a store that `rank` may wait for.
  void ring(Rank rank) {
    if (some_sleep()) presence(rank).doorbell.ring();
  }
  /// Called after a store that all members may wait for.
  void ring_all(const Context& context) {
    if (some_sleep()) ring_each(context);
  }
  void ring_all() { ring_all(world()); }
  /// One node that has not left the run looks again, if it sleeps.
  void ring_one_that_waits();
  /// The node sleeps: see Doorbell::sleep().
  template <class Ready, class Longest>
  bool sleep(Rank rank, Ready&& ready, Longest&& longest) {
    // A read-modify-write, as in Doorbell for those who test with a sanitizer; else relaxed would do, since
    // the doorbell's barrier comes before ready().
    sleepers_.fetch_add(1, std::memory_order_acq_rel);  // (b) pairs with (a)
    struct Awake {
      std::atomic<std::uint32_t>& sleepers;
      ~Awake() { sleepers.fetch_sub(1, std::memory_order_acq_rel); }
    } awake{sleepers_};
    return presence(rank).doorbell.sleep(ready, longest);
  }

  /// Whether all nodes wait, and none will ever go on.
  Standstill& standstill() { return standstill_; }
  bool names_deadlocks() const { return options_.deadlocks; }
  /// The same of the nodes of all processes: null if all are here.
  JointStandstill* joint_standstill() const { return joint_standstill_.get(); }
  std::chrono::nanoseconds long_wait() const { return options_.long_wait; }
  /// Between runs: FabricOptions::fencing and long_wait from now on.
  void set_waits(Fencing fencing, std::chrono::nanoseconds long_wait) {
    options_.fencing = fencing;
    options_.long_wait = long_wait;
    for (Presence* const presence : presences_) presence->doorbell.set_fencing(fencing);
  }

  /// A call that has been planned lately, or nothing.
  std::optional<PlannedCall> planned(std::uint32_t signature) const {
    return options_.planned ? options_.planned(signature) : std::nullopt;
  }
  /// The nodes of the group that has this context, or whose messages have, by rank; none if it has ended.
  std::vector<Rank> nodes_of(std::uint16_t context) const;

  /// Set once something has failed; every wait ends with Aborted.
  bool aborted() const { return aborted_.load(std::memory_order_relaxed); }
  /// Throws Aborted if so, which says what has failed.
  void check_aborted() {
    if (aborted()) throw_aborted();
  }
  [[noreturn]] void throw_aborted();
  /// `reason` is what has left `node`. The first is kept for the run to rethrow; a mere consequence, or none,
  /// only until there is one. It needs no memory: without any the others are told less.
  void abort(Rank node, std::exception_ptr reason, bool consequence = false) noexcept;
  /// What the others are told of the abort, once: the first to ask gets it, if another process has not told
  /// it.
  std::optional<std::string> untold_abort();
  /// A node of another process has said what it does; and the last that it has said, in this run.
  void note_status(Rank node, std::string status);
  std::string noted_status(Rank node);
  /// A node has made another call than one of another process, which alone knows what that was. The first
  /// such calls are kept for the run's end.
  void note_different(const DifferentCalls& calls);
  std::optional<DifferentCalls> different();
  /// Another process has failed, with this sentence.
  void abort_from_outside(const std::string& sentence);
  std::chrono::nanoseconds time_limit() const { return options_.time_limit; }
  /// Ends all processes, since memory of a run that has failed cannot be had back. Says `why`.
  [[noreturn]] void end_job(std::string_view why);
  /// What has left `node` is its thread's alone from now on: of a reason that it was, its text is kept.
  void keep_cause_only(Rank node);
  /// Returns when no other node touches a peer's memory, and after abort() none will begin to. Called by an
  /// operator of node `me`'s own call, which may touch a peer's memory itself, it does not wait for nodes
  /// whose operators do the same, since each would wait for the other.
  void quiesce(Rank me) noexcept;
  /// Declares that `rank` touches a peer's memory; false if that must not be, since the team is aborting.
  bool enter(Rank rank);
  void leave(Rank rank) {
    presence(rank).inside.store(0, std::memory_order_release);
  }  // pairs with quiesce()

  /// Between runs: a sentence that names a message which nobody received, or nothing.
  std::string unreceived();
  /// Between runs: what was passed to the first abort(), or nothing.
  std::exception_ptr failure();
  /// Between runs: forgets all messages, publications and the abort.
  void reset();
  /// Between runs: no node has left the next one, and what nodes elsewhere have said of themselves is over.
  void end_run();

 private:
  /// Whether a node sleeps or is about to, so that it may miss what has been stored before. The handshake is
  /// the doorbell's, whose barrier stands behind (b), too: one look at a word that hardly changes spares who
  /// stores for many a look at each of their doorbells.
  bool some_sleep() {
    if constexpr (sanitized_threads) return sleepers_.fetch_add(0, std::memory_order_acq_rel) != 0;  // (a)
    light_barrier(options_.fencing);  // pairs with heavy_barrier() in Doorbell::sleep()
    return sleepers_.load(std::memory_order_relaxed) != 0;
  }
  void ring_each(const Context& context);
  Slab& slab(Rank owner, int bank);
  int own_bank(Rank owner) const;

  FabricOptions options_;
  std::optional<Processes> processes_;
  std::size_t capacity_;
  std::map<std::pair<Rank, int>, Slab> slabs_;  // by owner and bank; guarded by making_
  std::vector<Presence*> presences_;
  std::vector<Station*> stations_;
  std::optional<Context> world_;
  std::unique_ptr<std::atomic<Channel*>[]> channels_;   // by from * nodes + to
  std::unique_ptr<std::atomic<const Made*>[]> newest_;  // by receiver
  std::mutex making_;
  std::deque<Made> made_;  // stays where it is
  std::atomic<std::size_t> channel_bytes_{0};
  std::string cause_;                        // what others are told of it; guarded by making_, as is
  bool has_cause_ = false;                   // whether there is a reason,
  std::exception_ptr failure_;               // the first reason, and
  bool consequence_ = false;                 // whether that is one
  Rank failed_ = 0;                          // what node it has left
  bool told_ = false;                        // to other processes, or by one
  std::optional<DifferentCalls> different_;  // guarded by making_
  std::map<Rank, std::string> statuses_;     // of nodes of other processes; guarded by making_
  Standstill standstill_;
  std::unique_ptr<JointStandstill> joint_standstill_;
  alignas(cache_line) std::atomic<bool> aborted_{false};
  std::atomic<std::uint32_t> sleepers_{0};  // beside what every call reads, and no call writes
};

/// Touching a peer's memory, for as long as it lives. Throws Aborted instead of entering when the team is
/// aborting.
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
