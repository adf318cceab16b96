#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class [[gnu::visibility("hidden")]] Activity;
class [[gnu::visibility("hidden")]] Member;

/// A call in flight. Every vnode call of the node that has made it, in whatever group, drives it on; while
/// the node computes, it rests. Used by that node's thread only, and completed within the run in which it was
/// started; what has not been is lost, and asking for it later throws UsageError.
///
///     std::vector<double> x = ...;  // before the request: see below
///     vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{});
///     compute();
///     sum.wait();
///
/// Other nodes read and write the call's data until it is complete, so the data have to outlive the request.
/// When an exception unwinds both, what was declared last ends first: **declare the data before the
/// Request**, or before the container of Requests. Its destructor then ends the run, and returns when no
/// other node touches the data any more. In the other order this is so for exceptions that vnode's calls
/// throw: they end the run, of which calls are in flight, before they leave the call. An exception of your
/// own unwinds data that are younger than their request while others may still be at them: nothing can tell
/// vnode in time, and checked mode (TeamOptions::checked) cannot either.
class Request {
 public:
  /// A call that is complete.
  Request() noexcept;
  /// Leaves a call that is complete behind.
  Request(Request&& other) noexcept;
  /// Waits for the call that it stood for.
  Request& operator=(Request&& other);
  /// Waits for the call: no other node touches its data afterwards. While an exception unwinds the node, ends
  /// the run instead.
  ~Request();

  /// Returns when the call is complete. Throws what the call throws.
  void wait();
  /// Drives all calls of this node on; true if this one is complete.
  bool test();
  /// Of a completed Group::irecv: the number of elements received; 0 for all other calls.
  std::size_t count() const { return count_; }

 private:
  friend class Member;
  explicit Request(std::unique_ptr<Activity> activity);
  void finish();

  std::unique_ptr<Activity> activity_;
  std::size_t count_ = 0;
};

/// Returns when all are complete.
void wait_all(std::span<Request> requests);

/// A collective call that is planned once and started many times, with the same data. Like Request it belongs
/// to one node, and while it is in flight all that is said there holds for it; but it may be kept, and
/// started in later runs of the team, also after one that failed.
///
///     vnode::Persistent halo = me.persistent().circular_shift(row, ghost, 1);
///     for (int step = 0; step < steps; ++step) {
///       halo.start();
///       compute_inside();
///       halo.wait();
///       compute_border();
///     }
class Persistent {
 public:
  /// Holds no planned call: wait() returns, test() is true, start() throws UsageError.
  Persistent() noexcept;
  /// Leaves one behind that holds no planned call.
  Persistent(Persistent&& other) noexcept;
  /// As Request's: waits for the call that it stood for, if it is in flight.
  Persistent& operator=(Persistent&& other);
  /// As Request's, if it is in flight.
  ~Persistent();

  /// Starts the call; all nodes start their calls in the same order. UsageError if it is in flight already,
  /// if no run of its team is on, and if it holds no planned call.
  void start();
  /// Returns when the call is complete, at once if none has been started.
  void wait();
  /// Drives all calls of this node on; true if this one is not in flight.
  bool test();

 private:
  friend class Member;
  struct State;
  explicit Persistent(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vnode
#pragma GCC visibility pop
