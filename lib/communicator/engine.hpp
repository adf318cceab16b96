#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <vnode/arena.hpp>
#include <vnode/error.hpp>
#include <vnode/pages.hpp>

#include "communicator/in_flight.hpp"
#include "communicator/team_life.hpp"
#include "runtime/endpoint.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

/// Memory that a call borrows while it is in flight.
struct Workspace {
  Pages scratch;
  std::vector<Ticket> tickets;
};

class Lease;

/// What drives a node's calls, of all its groups: its endpoint, its way of waiting, the calls in flight, and
/// the scratch they use. One thread's.
class alignas(two_lines) Engine {
 public:
  Engine(std::shared_ptr<const TeamLife> life, Fabric& fabric, Rank rank, WaitPolicy policy,
         PagePlacement scratch);
  ~Engine() { forget(); }

  const std::shared_ptr<const TeamLife>& life() const { return life_; }
  Endpoint& endpoint() { return endpoint_; }
  Fabric& fabric() { return endpoint_.fabric(); }
  /// The node's arena, which takes part in copies and combines of `from` bytes on; nullptr: it has none.
  Arena* arena() const { return arena_; }
  /// Before the first run.
  void set_arena(Arena& arena, std::size_t from) {
    arena_ = &arena;
    if (arena.concurrency() > 1) endpoint_.set_arena_help({&arena, from});
  }
  Journal& journal() { return journal_; }

  /// Runs `body`; an exception ends the team's run, and leaves only when no node touches another's memory any
  /// more.
  template <class Body>
  void guarded(Body&& body) {
    try {
      if (fabric().aborted()) throw Aborted("another node has failed");
      body();
    } catch (const Aborted&) {
      fail(true);
      throw;
    } catch (...) {
      fail(false);
      throw;
    }
    journal().end();
  }

  /// Runs `body`, a call of the user's: if calls are in flight, an exception that leaves it ends the run too,
  /// since it may unwind their data before it unwinds their requests.
  template <class Body>
  decltype(auto) call(Body&& body) try {
    return body();
  } catch (...) {
    if (busy()) fail(false);
    throw;
  }

  /// Within guarded(): returns when the activity (an Execution, a message, an Agreement) has advanced to its
  /// end.
  template <class Step>
  void wait(Step& activity) {
    if (in_flight_.empty())
      waiter_.wait([&] { return activity.advance(); }, [&] { return activity.awaited(); },
                   [&] { return activity.watch(); }, [&](bool) { endpoint_.relieve(); });
    else
      wait_among_others([&] { return activity.advance(); }, [&] { return activity.awaited(); });
  }
  /// Between runs: from now on the node records up to `events` events, or, for 0, none; what it has recorded
  /// before is lost. Throws std::bad_alloc.
  void trace(std::size_t events) {
    endpoint_.set_recorder(nullptr);
    recorder_ = events > 0 ? std::make_unique<Recorder>(events) : nullptr;
    endpoint_.set_recorder(recorder_.get());
  }
  /// Between runs: one has failed, and the numbers of calls begin again.
  void run_failed() {
    forget();
    endpoint_.reset();
    if (recorder_ != nullptr) recorder_->run_failed();
  }
  /// Between runs: how long a call may wait from now on; 0: for ever.
  void set_limit(std::chrono::nanoseconds limit) { waiter_.set_limit(limit); }
  /// The node's body has returned. Throws UsageError if a call is still in flight.
  void end_run();
  /// Whether calls are in flight.
  bool busy() const { return !in_flight_.empty(); }

  /// Where activities lie that somebody keeps.
  CallMemory& call_memory() { return *call_memory_; }
  /// Within guarded(): begins it, and drives it on from now on if it is not complete at once. The activity
  /// lives until guarded() is left.
  template <class Kind>
  void start(Kind& activity) {
    const bool others = busy();
    in_flight_.start(activity, *this);
    started(others);
  }
  /// Within guarded(): the same of a call that has begun. `advance()` advances it, and `rest()` returns what
  /// is to be driven on if it is not complete at once.
  template <class Advance, class Rest>
  void start(Advance&& advance, Rest&& rest) {
    const bool others = busy();
    if (!advance()) in_flight_.add(rest(), *this);
    started(others);
  }
  /// Within guarded(): advances calls in flight as far as they go: all of them if they are few.
  void progress();
  /// Within guarded(): the same with this one among them, which has been started, for who tests it again and
  /// again and may wait for nothing else; throws what waiting for it would.
  void test(Activity& activity) {
    progress(activity);
    if (activity.engine() == nullptr) return;
    waiter_.look(
        activity.patience(),
        [&] {
          progress(activity);
          return activity.engine() == nullptr;
        },
        [&] { return activity.awaited(); });
  }
  /// Within guarded(): returns when the activity, which has been started, is complete.
  void finish(Activity& activity);
  /// Ends the run of all because a call in flight is given up; returns when no node touches another's memory.
  void abandon();
  /// Between runs, and when a run has failed: nothing is in flight.
  void forget();

  std::size_t scratch_bytes() const { return scratch_bytes_.load(std::memory_order_relaxed); }
  /// Between runs: calls visit(pages) for all scratch.
  template <class Visit>
  void each_scratch(Visit&& visit) const {
    for (const auto& workspace : workspaces_)
      if (workspace->scratch.bytes() > 0) visit(workspace->scratch);
  }

 private:
  friend class Lease;
  // Not in line: short calls borrow nothing.
  [[gnu::noinline]] std::unique_ptr<Workspace> borrow(std::size_t scratch_bytes, std::size_t tickets);
  [[gnu::noinline]] void give_back(std::unique_ptr<Workspace> workspace) noexcept;
  void fail(bool consequence);
  void started(bool among_others) {
    if (among_others)
      progress();
    else
      endpoint_.set_overlapping(busy());
  }
  void progress(Activity& activity);
  template <class Poll, class Describe>
  void wait_among_others(Poll&& poll, Describe&& awaited) {
    waiter_.wait(
        [&] {
          progress();
          return poll();
        },
        awaited, [] { return nullptr; },
        [&](bool all) {
          endpoint_.relieve();
          if (all) in_flight_.progress(true);
        });
  }

  std::shared_ptr<const TeamLife> life_;
  Arena* arena_ = nullptr;
  std::unique_ptr<Recorder> recorder_;
  Endpoint endpoint_;
  Journal& journal_;
  Waiter waiter_;
  PagePlacement placement_;  // of scratch
  InFlight in_flight_;
  CallMemory::Owner call_memory_{new CallMemory};
  std::vector<std::unique_ptr<Workspace>> workspaces_;  // that nobody uses
  std::size_t borrowed_ = 0;
  std::atomic<std::size_t> scratch_bytes_{0};
};

/// Room for a call, for as long as it lives. Throws SystemError.
class Lease {
 public:
  Lease(Engine& engine, std::size_t scratch_bytes, std::size_t tickets) : engine_(engine) {
    if (scratch_bytes + tickets > 0) workspace_ = engine.borrow(scratch_bytes, tickets);
  }
  ~Lease() {
    if (workspace_ != nullptr) engine_.give_back(std::move(workspace_));
  }
  Lease(Lease&&) = default;
  Lease& operator=(const Lease&) = delete;
  std::byte* scratch() const { return workspace_ != nullptr ? workspace_->scratch.data() : nullptr; }
  Ticket* tickets() const { return workspace_ != nullptr ? workspace_->tickets.data() : nullptr; }

 private:
  Engine& engine_;
  std::unique_ptr<Workspace> workspace_;
};

}
