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
#include "engine/held_message.hpp"
#include "engine/in_flight.hpp"
#include "engine/team_life.hpp"
#include "record/call_counters.hpp"
#include "transport/endpoint.hpp"
#include "watch/waiter.hpp"

namespace vnode {

/// Holds the memory that a call borrows while it is in flight.
struct Workspace {
  Pages scratch;
  std::vector<Ticket> tickets;
};

class Lease;

/// Drives a node's calls in all its groups. It owns the node's endpoint, its way of waiting, the calls in
/// flight, and the scratch memory that they use. Only the node's thread uses it.
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

  /// Runs `body`, a step of a call. An exception ends the team's run, and leaves only when no node touches
  /// another's memory any more. Throws UsageError if another call of the node is on; then `body` has not
  /// begun.
  template <class Body>
  void guarded(Body&& body) {
    check_not_in_call();
    several_guarded([&] { within_call(body); });
  }
  /// Runs `body`, a step of a call in which the user's code may be called, which must not make calls of the
  /// node.
  template <class Body>
  decltype(auto) within_call(Body&& body) {
    const Raised in_call(in_call_);
    return body();
  }
  /// Does the same as guarded() for a call that is made of several, each of which is guarded.
  template <class Body>
  void several_guarded(Body&& body) {
    try {
      // So a node that never waits for another process hears of a failure there, too.
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

  /// Runs `body`, a call of the user's. If calls are in flight, an exception that leaves it ends the run too,
  /// since it may unwind the data of these calls before it unwinds their requests.
  template <class Body>
  decltype(auto) call(Body&& body) try {
    check_not_in_call();
    return body();
  } catch (...) {
    if (busy()) fail(false);
    throw;
  }

  /// Waits until the activity (an Execution, a message, an Agreement) is complete. Called within guarded().
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
  /// Tells whether a call may use its ShortProgram, since the node does nothing else.
  bool is_plain() const { return !busy() && endpoint_.is_plain(); }
  /// Tells whether, besides is_plain(), the run goes on, no call is on, calls are not counted, and all nodes
  /// are in this process: then a message may be passed at once without more checks.
  bool is_idle() const {
    return is_plain() && !in_call_ && counters_ == nullptr && endpoint_.remote() == nullptr &&
           !endpoint_.aborted();
  }
  /// Polls ready(), which looks at one word, for a short time. Returns false if it has not become true by
  /// then.
  template <class Ready>
  bool expect(Ready&& ready) const {
    return waiter_.expect(ready);
  }
  /// Does the same as a fiber: see Waiter::expect_turn().
  template <class Ready>
  bool expect_turn(Ready&& ready) const {
    return waiter_.expect_turn(ready);
  }
  /// Records up to `events` events from now on, or none if `events` is 0; what was recorded before is lost.
  /// Called between runs. Throws std::bad_alloc.
  void trace(std::size_t events) {
    endpoint_.set_recorder(nullptr);
    recorder_ = events > 0 ? std::make_unique<Recorder>(events) : nullptr;
    endpoint_.set_recorder(recorder_.get());
  }
  /// Forgets the calls of a failed run and begins their numbers again. Called between runs.
  void run_failed() {
    forget();
    endpoint_.reset();
    if (recorder_ != nullptr) recorder_->run_failed();
  }
  /// Sets how the node waits from now on. Called between runs.
  void set_policy(WaitPolicy policy) { waiter_.set_policy(policy); }
  /// Sets how long a call may wait from now on; 0 means for ever. Called between runs.
  void set_limit(std::chrono::nanoseconds limit) { waiter_.set_limit(limit); }
  /// Ends the node's part of the run: nothing is in flight any more. Throws UsageError if a call was in
  /// flight, or a matched message was not received, and nothing else has ended the run.
  void end_run();
  /// Tells whether calls are in flight.
  bool busy() const { return !in_flight_.empty(); }

  /// Returns the memory in which activities lie that a request or a planned call owns.
  CallMemory& call_memory() { return *call_memory_; }
  /// Begins the activity, and drives it from now on if it is not complete at once. It must live until
  /// guarded() returns. Called within guarded().
  template <class Kind>
  void start(Kind& activity) {
    const bool others = busy();
    in_flight_.start(activity, *this);
    started(others);
  }
  /// Drives a call that has begun. `advance()` advances it, and `rest()` returns the activity to drive if it
  /// is not complete at once. Called within guarded().
  template <class Advance, class Rest>
  void start(Advance&& advance, Rest&& rest) {
    const bool others = busy();
    if (!advance()) in_flight_.add(rest(), *this);
    started(others);
  }
  /// Advances calls in flight as far as they go: all of them if they are few. Called within guarded().
  void progress();
  /// Advances calls in flight, this activity among them, for a user who tests it again and again and waits
  /// for nothing else. It must have been started. Throws what waiting for it would. Called within guarded().
  void test(Activity& activity) {
    progress(activity);
    if (activity.engine() == nullptr) return;
    waiter_.look(
        activity.poll_monitor(),
        [&] {
          progress(activity);
          return activity.engine() == nullptr;
        },
        [&] { return activity.awaited(); });
  }
  /// Waits until the activity, which has been started, is complete. Called within guarded().
  void finish(Activity& activity);
  /// Waits for the activity as finish() does; meanwhile awaits() says that the user waits for it.
  void await(Activity& activity) {
    awaited_ = &activity;
    finish(activity);
    awaited_ = nullptr;
  }
  /// Tells whether the user waits for this activity.
  bool awaits(const Activity& activity) const { return awaited_ == &activity; }
  /// Advances calls in flight until `done()` is true. `awaited()` is as in Waiter::wait(). Called within
  /// guarded().
  template <class Done, class Describe>
  void finish_some(Done&& done, Describe&& awaited) {
    wait_among_others(done, awaited, [] {});
  }
  /// Returns the message that a receive with this pattern would get if it started now; it is Endpoint::find()
  /// if no receives are in flight. Called within guarded().
  std::optional<Endpoint::Found> find(const MessagePattern& pattern, bool everywhere) {
    if (!in_flight_.receives()) return endpoint_.find(pattern, everywhere);
    in_flight_.sift(pattern, everywhere);
    return endpoint_.find_aside(pattern);
  }
  /// Advances calls in flight, and makes room for senders that wait for it. Called within guarded().
  void poll() {
    endpoint_.relieve(true);
    in_flight_.look_everywhere();
    if (busy()) progress();
  }
  /// Removes an activity that its owner has given up within a call of the node, which has aborted the run. It
  /// is not advanced any more.
  void drop(Activity& activity) { in_flight_.drop(activity); }
  /// Keeps the owner of a dropped activity alive until that call has ended. Throws std::bad_alloc.
  void keep_dropped(std::shared_ptr<void> kept) { dropped_.push_back(std::move(kept)); }
  /// Cancels a receive that has not been matched, which is complete then. Returns false if it has been
  /// matched.
  bool cancel(Activity& activity) {
    if (!in_flight_.cancel(activity)) return false;
    endpoint_.set_overlapping(busy());
    return true;
  }
  /// Tells whether a receive in flight matches a message that this node sends with this pattern.
  bool receives(Rank from, const MessagePattern& sent) const { return in_flight_.receives(from, sent); }

  /// Returns the messages that have been matched and not been received.
  HeldMessages& held() { return held_; }
  /// Aborts the run of all nodes because a call in flight is given up. Returns when no other node touches
  /// another's memory. Within a call of the node, what is in flight is forgotten at the end of that call.
  void abandon() noexcept;
  /// Aborts the run for this reason, which the run rethrows.
  void abandon(std::exception_ptr reason, bool consequence = false) noexcept;
  /// Tells whether a call of the node is on. Then the caller is an operator of the user's, or a hook that
  /// runs while the call waits.
  bool in_call() const { return in_call_; }
  /// Throws UsageError if a call of the node is on.
  void check_not_in_call() const {
    if (in_call_) [[unlikely]]
      refuse_in_call();
  }
  /// Forgets all calls in flight. Called between runs, and when a run has failed.
  void forget();

  std::size_t scratch_bytes() const { return scratch_bytes_.load(std::memory_order_relaxed); }
  /// Calls visit(pages) for the scratch of every workspace. Called between runs.
  template <class Visit>
  void each_scratch(Visit&& visit) const {
    for (const auto& workspace : workspaces_)
      if (workspace->scratch.bytes() > 0) visit(workspace->scratch);
  }

 private:
  friend class Lease;
  // Not inlined, since short calls borrow nothing.
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
  /// Waits until poll() is true, among other calls in flight. Calls `prepare()` before each look of a long
  /// wait.
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
  PagePlacement placement_;  // of the scratch memory
  InFlight in_flight_;
  HeldMessages held_;
  std::vector<std::shared_ptr<void>> dropped_;
  CallMemory::Owner call_memory_{new CallMemory};
  std::vector<std::unique_ptr<Workspace>> workspaces_;  // those that no call uses
  std::size_t borrowed_ = 0;
  std::atomic<std::size_t> scratch_bytes_{0};
};

/// Lends a call a workspace for as long as the lease lives. The constructor throws SystemError.
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
