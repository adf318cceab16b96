#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <vnode/language.hpp>
#include <vnode/message_info.hpp>

#pragma GCC visibility push(default)
namespace vnode {

class [[gnu::visibility("hidden")]] Activity;
template <class List>
class [[gnu::visibility("hidden")]] ManyRequests;
class [[gnu::visibility("hidden")]] Member;
class [[gnu::visibility("hidden")]] Untyped;

/// Represents a call in flight. It progresses within every vnode call that its node makes, in whatever group,
/// and rests while the node computes. Only the node's own thread uses a Request. The call is completed within
/// the run in which it was started; otherwise it is lost, and asking for it later throws UsageError.
///
///     std::vector<double> x = ...;  // before the request: see below
///     vnode::Request sum = me.nonblocking().all_reduce(x, std::plus<>{});
///     compute();
///     sum.wait();
///
/// Other nodes read and write the call's data until it is complete, so the data have to outlive the request.
/// When an exception unwinds both, what was declared last is destroyed first: **declare the data before the
/// Request**, or before the container of Requests. The Request's destructor then ends the run, and returns
/// when no other node touches the data any more. In the other order only exceptions thrown by vnode's calls
/// are safe: they end the run, and with it the calls in flight, before they leave the call. An exception of
/// your own destroys data declared after their Request while other nodes may still touch them; vnode cannot
/// know in time, not even in checked mode (TeamOptions::checked).
class [[nodiscard("an unnamed request is waited for at once")]] Request {
 public:
  /// Makes the request of a call that is complete.
  Request() noexcept;
  /// Leaves `other` complete.
  Request(Request && other) noexcept;
  /// Waits for its own call first, then takes over that of `other`.
  Request& operator=(Request&& other);
  /// Waits for the call: no other node touches its data afterwards. While an exception unwinds the node, ends
  /// the run instead.
  ~Request();

  /// Returns when the call is complete. Throws what the call throws.
  void wait();
  /// Lets all calls of this node progress; returns whether this one is complete.
  bool test();
  /// Returns the number of elements that a completed Group::irecv received; 0 for all other calls.
  std::size_t count() const { return count_; }
  /// Returns source, tag and length of the message that a completed Group::irecv received; for all other
  /// calls {no_rank, any_tag, 0}.
  const MessageInfo& info() const { return info_; }
  /// Cancels a receive that no message has been matched with: it is complete, has received nothing, and later
  /// receives get what it would have got. Returns whether it was cancelled; if not, it will be complete as
  /// ever. Throws UsageError for calls other than irecv, complete or not: what is sent or called together
  /// cannot be taken back.
  bool cancel();
  /// Returns whether the call has been cancelled.
  bool cancelled() const { return cancelled_; }

 private:
  friend class Member;
  friend class MatchedMessage;
  template <class List>
  friend class ManyRequests;
  friend Untyped;
  Request(std::unique_ptr<Activity> activity, bool is_receive);
  void finish();

  std::unique_ptr<Activity> activity_;
  std::size_t count_ = 0;
  MessageInfo info_;
  bool cancelled_ = false, news_ = false;  // news_: it is complete, and not reported yet
  bool stays_ = false;                     // its call is another than irecv, which cannot be cancelled
};

/// Returns when all requests are complete.
void wait_all(std::span<Request> requests);
/// Lets all calls of this node progress; returns whether all requests are complete.
bool test_all(std::span<Request> requests);

// These return which of many requests have become complete. Each request is reported once, by one of these,
// by Request::wait or by a Request::test that has returned true; afterwards it is ignored, as are empty ones.

/// Returns when one of the requests is complete, and its index; nothing if all have been reported.
std::optional<std::size_t> wait_any(std::span<Request> requests);
/// Lets all calls of this node progress; returns the index of a request that is complete, or nothing.
std::optional<std::size_t> test_any(std::span<Request> requests);
/// Returns when at least one of the requests is complete, and the indices of all that are; none if all have
/// been reported.
std::vector<std::size_t> wait_some(std::span<Request> requests);
/// Lets all calls of this node progress; returns the indices of the requests that are complete.
std::vector<std::size_t> test_some(std::span<Request> requests);

/// Represents a collective call that is planned once and started many times, with the same data. It belongs
/// to one node and, while in flight, obeys the rules of a Request. It may be kept, and started in later runs
/// of the team, also after one that failed.
///
///     vnode::Persistent halo = me.persistent().circular_shift(row, ghost, 1);
///     for (int step = 0; step < steps; ++step) {
///       halo.start();
///       compute_inside();
///       halo.wait();
///       compute_border();
///     }
class [[nodiscard("a planned call does nothing until it is started")]] Persistent {
 public:
  /// Makes one that holds no planned call: wait() returns, test() is true, start() throws UsageError.
  Persistent() noexcept;
  /// Leaves `other` without a planned call.
  Persistent(Persistent && other) noexcept;
  /// Waits for its own call first if that is in flight, then takes over that of `other`.
  Persistent& operator=(Persistent&& other);
  /// Does what Request's destructor does, if the call is in flight.
  ~Persistent();

  /// Starts the call; all nodes start their calls in the same order. Throws UsageError if the call has been
  /// started in this run and nothing has said since that it is complete, wait() or test(), if no run of its
  /// team is on, and if there is no planned call.
  void start();
  /// Returns when the call is complete; at once if none has been started.
  void wait();
  /// Lets all calls of this node progress; returns whether this one is not in flight.
  bool test();

 private:
  friend class Member;
  friend Untyped;
  struct State;
  explicit Persistent(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace vnode
#pragma GCC visibility pop
