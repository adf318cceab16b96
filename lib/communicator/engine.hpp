#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/arena.hpp>
#include <vnode/error.hpp>
#include <vnode/pages.hpp>

#include "base/raised.hpp"
#include "communicator/call_counters.hpp"
#include "communicator/held_message.hpp"
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

/// Drives a node's calls, of all its groups. It has the node's endpoint, its way of waiting, the calls in
/// flight, and the scratch that they use. Only the node's thread uses it.
class alignas(two_lines) Engine {
 public:
  Engine(std::shared_ptr<const TeamLife> life, Fabric& fabric, Rank rank, WaitPolicy policy,
         PagePlacement scratch);
  ~Engine() { forget(); }

  const std::shared_ptr<const TeamLife>& life() const { return life_; }
  /// Throws UsageError unless the calling thread is the node, in a run of the team.
  void check_thread() const {
    if (!thread_.here()) [[unlikely]]
      life_->refuse_call(endpoint_.rank());
  }
  Endpoint& endpoint() { return endpoint_; }
  Fabric& fabric() { return endpoint_.fabric(); }
  /// Returns the node's arena, which takes part in long copies and combines; nullptr if it has none.
  Arena* arena() const { return arena_; }
  /// Gives the node an arena for copies and combines of `from` bytes on, before the first run.
  void set_arena(Arena& arena, std::size_t from) {
    arena_ = &arena;
    if (arena.concurrency() > 1) endpoint_.set_arena_help({&arena, from});
  }
  Journal& journal() { return journal_; }
  /// Returns where the node counts its calls; nullptr if it counts none.
  CallCounters* counters() const { return counters_.get(); }
  /// Gives the node a place where it counts its calls, before the first run.
  void set_counters(std::unique_ptr<CallCounters> counters) { counters_ = std::move(counters); }

  /// Runs `body`, a step of a call; an exception ends the team's run, and leaves only when no node touches
  /// another's memory any more. Throws UsageError if another call of the node is on, and has not begun then.
  template <class Body>
  void guarded(Body&& body) {
    check_not_in_call();
    several_guarded([&] { within_call(body); });
  }
  /// Runs `body`, a step of a call in which the user's code may be called, and must not call the node.
  template <class Body>
  decltype(auto) within_call(Body&& body) {
    const Raised in_call(in_call_);
    return body();
  }
  /// Does the same as guarded() for a call that is made of several, each of which is guarded.
  template <class Body>
  void several_guarded(Body&& body) {
    try {
      // Who never waits for another process hears of a failure there, too.
      if (Remote* const remote = endpoint_.remote()) remote->poll_at_times();
      fabric().check_aborted();
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
    check_not_in_call();
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
                   [&] { return activity.watch(); },
                   [&](bool all) {
                     endpoint_.relieve(all);
                     if constexpr (requires { activity.look_everywhere(); }) activity.look_everywhere();
                   });
    else
      wait_among_others([&] { return activity.advance(); }, [&] { return activity.awaited(); },
                        [&] {
                          if constexpr (requires { activity.look_everywhere(); }) activity.look_everywhere();
                        });
  }
  /// Whether a call may use its Brief: the node does nothing else.
  bool is_plain() const { return !busy() && endpoint_.is_plain(); }
  /// Whether besides that the run goes on, no call is on, none is counted, and all nodes are in this process:
  /// so a message may go or come at once without more ado.
  bool is_idle() const {
    return is_plain() && !in_call_ && counters_ == nullptr && endpoint_.remote() == nullptr &&
           !endpoint_.aborted();
  }
  /// Polls ready(), which looks at one word, for a short time. Returns false if that has passed in vain.
  template <class Ready>
  bool expect(Ready&& ready) const {
    return waiter_.expect(ready);
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
  /// Between runs: how the node waits from now on.
  void set_policy(WaitPolicy policy) { waiter_.set_policy(policy); }
  /// Between runs: how long a call may wait from now on; 0: for ever.
  void set_limit(std::chrono::nanoseconds limit) { waiter_.set_limit(limit); }
  /// The node's part of the run is over: nothing is in flight any more. Throws UsageError if a call was, in a
  /// run that nothing else has ended.
  void end_run();
  /// Whether calls are in flight.
  bool busy() const { return !in_flight_.empty(); }

  /// Returns the memory that activities lie in which somebody keeps.
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
  /// Calls finish(), and says meanwhile, by awaits(), that the user waits for this one.
  void await(Activity& activity) {
    awaited_ = &activity;
    finish(activity);
    awaited_ = nullptr;
  }
  /// Whether the user does.
  bool awaits(const Activity& activity) const { return awaited_ == &activity; }
  /// Within guarded(): lets calls in flight progress, and returns when `done()` is true. `awaited()` as in
  /// Waiter::wait().
  template <class Done, class Describe>
  void finish_some(Done&& done, Describe&& awaited) {
    wait_among_others(done, awaited, [] {});
  }
  /// Within guarded(): the message that a receive with this pattern would get, if it started now;
  /// Endpoint::find() if no receives are in flight.
  std::optional<Endpoint::Found> find(const MessagePattern& pattern, bool everywhere) {
    if (!in_flight_.receives()) return endpoint_.find(pattern, everywhere);
    in_flight_.sift(pattern, everywhere);
    return endpoint_.find_aside(pattern);
  }
  /// Within guarded(): lets calls in flight progress, and makes room for who waits for it.
  void poll() {
    endpoint_.relieve(true);
    in_flight_.look_everywhere();
    if (busy()) progress();
  }
  /// Takes out an activity that its owner has given up within a call of the node, which has aborted the run:
  /// it is not advanced any more.
  void drop(Activity& activity) { in_flight_.drop(activity); }
  /// Keeps what a dropped activity belongs to until that call has ended. Throws std::bad_alloc.
  void keep_dropped(std::shared_ptr<void> kept) { dropped_.push_back(std::move(kept)); }
  /// A receive that has not been matched is complete; false if it has been.
  bool cancel(Activity& activity) {
    if (!in_flight_.cancel(activity)) return false;
    endpoint_.set_overlapping(busy());
    return true;
  }
  /// Whether a receive in flight is for a message from this node that is sent so.
  bool receives(Rank from, const MessagePattern& sent) const { return in_flight_.receives(from, sent); }

  /// Messages that have been matched and not been received.
  HeldMessages& held() { return held_; }
  /// Ends the run of all because a call in flight is given up; returns when no other node touches another's
  /// memory. Within a call of the node that leaves what is in flight to be forgotten by that.
  void abandon() noexcept;
  /// The same, for this reason, which the run rethrows.
  void abandon(std::exception_ptr reason, bool consequence = false) noexcept;
  /// Whether a call of the node is on: what it calls then is an operator of the user's, or what looks while
  /// it waits.
  bool in_call() const { return in_call_; }
  /// Throws UsageError if one is.
  void check_not_in_call() const {
    if (in_call_) [[unlikely]]
      refuse_in_call();
  }
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
  void fail(bool consequence) noexcept;
  [[noreturn]] void refuse_in_call() const;
  void started(bool among_others) {
    if (among_others)
      progress();
    else
      endpoint_.set_overlapping(busy());
  }
  void progress(Activity& activity);
  /// `prepare()` is called in a long wait before each look.
  template <class Poll, class Describe, class Prepare>
  void wait_among_others(Poll&& poll, Describe&& awaited, Prepare&& prepare) {
    waiter_.wait(
        [&] {
          progress();
          return poll();
        },
        [&] {
          Awaited next = awaited();
          next.progress += in_flight_.progress_made();
          return next;
        },
        [] { return nullptr; },
        [&](bool all) {
          endpoint_.relieve(all);
          in_flight_.look_everywhere();
          prepare();
          if (all) in_flight_.progress(true);
        });
  }

  std::shared_ptr<const TeamLife> life_;
  const NodeThread& thread_;
  Arena* arena_ = nullptr;
  std::unique_ptr<Recorder> recorder_;
  Endpoint endpoint_;
  Journal& journal_;
  std::unique_ptr<CallCounters> counters_;
  const Activity* awaited_ = nullptr;
  bool in_call_ = false;
  Waiter waiter_;
  PagePlacement placement_;  // of scratch
  InFlight in_flight_;
  HeldMessages held_;
  std::vector<std::shared_ptr<void>> dropped_;
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
