#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <vnode/message_info.hpp>
#include <vnode/rank.hpp>

#include "engine/team_life.hpp"
#include "transport/endpoint.hpp"
#include "transport/message_pattern.hpp"
#include "watch/waiter.hpp"

namespace vnode {

class Engine;

/// Identifies a sequence of messages that are matched in the order in which their calls were started:
/// messages received from one node with one tag, or messages sent to one node, whatever their tags. Receives
/// from any source or with any tag have lanes too, with the values of a MessagePattern.
struct Lane {
  bool inwards = false;
  Rank peer = 0;
  std::uint16_t context = 0, generation = 0;
  std::uint32_t tag = 0;

  MessagePattern pattern() const { return {peer, tag, context, generation}; }
  bool open() const { return !pattern().exact(); }
  friend bool operator==(const Lane&, const Lane&) = default;
  struct Hash {
    std::size_t operator()(const Lane& lane) const noexcept {
      const auto from = static_cast<std::uint64_t>(static_cast<std::uint32_t>(lane.peer));
      const std::uint64_t where = from << 32 | std::uint64_t{lane.context} << 1 | std::uint64_t{lane.inwards};
      return static_cast<std::size_t>(where * 0x9e3779b97f4a7c15u + lane.tag);
    }
  };
};

/// Holds the memory of a node's activities that a Request or Persistent owns, and of what these keep. It
/// gives out pieces of one size and keeps some for the calls to come, so that a call allocates nothing.
/// Activities may live longer than the node's engine: the last of them frees the memory. Only one thread uses
/// it, except that the last activities may end on others, when that thread makes no more calls.
class CallMemory {
 public:
  struct Leave {
    void operator()(CallMemory* memory) const noexcept { memory->leave(); }
  };
  /// Owns the memory for the engine.
  using Owner = std::unique_ptr<CallMemory, Leave>;

  /// Returns memory aligned to 16 bytes. Throws std::bad_alloc.
  void* take(std::size_t bytes);
  /// Gives back what take() of any CallMemory has returned.
  static void give_back(void* taken) noexcept;

 private:
  struct alignas(16) Piece {
    CallMemory* memory;
    Piece* next;  // next kept piece; the piece itself if it is larger than usual
  };
  static constexpr std::size_t usual_bytes = 640, most_kept = 64;

  void leave() noexcept;

  Piece* kept_ = nullptr;
  std::size_t number_kept_ = 0, taken_ = 0;
  bool left_ = false;
};

/// A call of a node that an engine can drive. It never blocks.
class Activity {
 public:
  Activity() = default;
  virtual ~Activity() = default;
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  static void* operator new(std::size_t bytes, CallMemory& memory) { return memory.take(bytes); }
  static void operator delete(void* activity, CallMemory&) noexcept { CallMemory::give_back(activity); }
  static void operator delete(void* activity) noexcept { CallMemory::give_back(activity); }

  /// Gives the call its number and the resources that it needs for a while. Called before the first
  /// advance().
  virtual void begin() {}
  /// Gives back what the call has borrowed, since the engine may end before it. Called when the call is
  /// complete or lost.
  virtual void end() {}
  /// Advances the call, and returns true when it is complete. Throws what the call throws.
  virtual bool advance() = 0;
  /// Returns what the call waits for, after advance() has returned false.
  virtual Awaited awaited() const = 0;
  /// Returns a word that changes when there may be something to do, or nullptr. Called after advance() has
  /// returned false.
  virtual const std::atomic<std::uint64_t>* watch() const = 0;
  /// Returns the lane in which later messages have to wait for this one, or nothing once it has been matched.
  virtual std::optional<Lane> lane() const { return {}; }
  /// Matches a receive from any source or with any tag with the oldest message of this node and tag.
  virtual void bind(Rank, std::uint32_t) {}
  /// Returns the number of elements received, when the call is complete. Sets the message's length in the
  /// MessageInfo, and its source and tag if they were any.
  virtual std::size_t received(MessageInfo&) const { return 0; }

  /// Returns the engine that drives it; null before it is started, and when it is complete or lost.
  Engine* engine() const { return engine_; }
  /// Throws if its run has ended before the call was complete: Aborted within that run, UsageError
  /// afterwards.
  void check_found() const {
    if (lost_in_ != nullptr) refuse_lost();
  }
  /// Returns the back-off of a user who polls the call by test().
  PollMonitor& poll_monitor() { return poll_monitor_; }
  /// Tells whether its node has begun to unwind by an exception since the call was started.
  bool unwinds() const { return std::uncaught_exceptions() > exceptions_; }

  // For InFlight, in whose list or queue it is:
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  std::size_t listed_at = nowhere;
  Activity* behind = nullptr;  ///< the next in the queue
  std::uint64_t posted = 0;    ///< its number in the order in which receives entered queues

  // For the engine:
  void found() {
    if (lost_in_ != nullptr) lost_in_ = nullptr;
  }
  void attach(Engine& engine) {
    engine_ = &engine;
    poll_monitor_ = {};
    exceptions_ = std::uncaught_exceptions();
  }
  void complete() {
    engine_ = nullptr;
    end();
  }
  void lose(std::shared_ptr<const TeamLife> life) {
    engine_ = nullptr;
    run_ = life->run();
    lost_in_ = std::move(life);
    end();
  }

 private:
  [[noreturn]] void refuse_lost() const;

  Engine* engine_ = nullptr;
  std::shared_ptr<const TeamLife> lost_in_;  // null: it is not lost
  std::uint64_t run_ = 0;                    // the run in which it was lost
  PollMonitor poll_monitor_;
  int exceptions_ = 0;  // number of uncaught ones when it was started
};

/// Advances a node's calls in flight. A message that must wait for others of its lane stands in their queue,
/// and only the first of a queue is looked at: a send when its turn comes, a receive when a message arrives
/// that it matches. All other calls are looked at in turn, a few at a time, so that the time this takes does
/// not grow with their number. Only one thread uses it.
class InFlight {
 public:
  explicit InFlight(Endpoint& endpoint) : endpoint_(endpoint) {}

  bool empty() const { return count_ == 0; }
  /// Begins the activity, and advances it unless it stands behind others. If it is not complete then, it is
  /// in flight, and `engine` drives it.
  template <class Kind>
  void start(Kind& activity, Engine& engine) {
    starting_ = &activity;
    activity.begin();
    const auto lane = activity.lane();
    const bool behind = lane && (lane->inwards ? is_behind(activity, *lane) : outgoing_.contains(lane->peer));
    const bool complete = !behind && activity.advance();
    if (starting_ == nullptr) [[unlikely]]
      endpoint_.fabric().throw_aborted();  // dropped meanwhile
    if (complete)
      activity.end();
    else
      add(activity, engine);
    starting_ = nullptr;
  }
  /// Adds an activity that has begun and been advanced to those in flight; `engine` drives it.
  void add(Activity& activity, Engine& engine);
  /// Returns a number that grows with all that is done in these calls until the next is started: the sum of
  /// Awaited::progress of each, and more when one is complete.
  std::uint64_t progress_made() const;
  /// Advances calls: all of them if they are few, or if `all`.
  void progress(bool all = false);
  /// Advances this activity if progress() has not. Called after progress().
  void advance(Activity& activity);
  /// Tells whether nothing else is in flight, and this one is in no queue.
  bool alone(const Activity& activity) const {
    return count_ == 1 && activity.listed_at != Activity::nowhere;
  }
  /// Advances an activity that is in no queue, and returns true if it is complete.
  bool step(Activity& activity);
  /// Tells whether a receive in flight has not been matched.
  bool receives() const { return !posted_from_.empty(); }
  /// Tells whether an unmatched receive matches a message that this node sends with this pattern.
  bool receives(Rank from, const MessagePattern& sent) const;
  /// Matches messages that have come with the receives in flight that they are for, and sets the others
  /// aside, until it has set aside one that fits `pattern`.
  void sift(const MessagePattern& pattern, bool everywhere);
  /// Removes an activity that is not complete, and may be advancing, from those in flight. It stays as it is;
  /// the run has been aborted.
  void drop(Activity& activity);
  /// Removes a receive that has not been matched, which is complete then. Returns false if it has been
  /// matched.
  bool cancel(Activity& activity);
  /// Makes the next look for messages from any source look everywhere, so that it misses none. Called in long
  /// waits.
  void look_everywhere() { everywhere_ = true; }
  /// Loses all activities in the run that is on.
  void forget(const std::shared_ptr<const TeamLife>& life);

 private:
  struct Queue {
    Activity* first = nullptr;
    Activity* last = nullptr;
  };
  static constexpr std::size_t few = 64;

  void enlist(Activity& activity);
  void strike(Activity& activity);
  static void take_out(Queue& queue, Activity& activity);
  void queue_up(Activity& activity, const Lane& lane);
  bool advance_first(Queue& queue);
  void send();
  using Posted = std::unordered_map<Lane, Queue, Lane::Hash>;

  /// Tells whether a receive that starts must wait, since others that match the same messages were started
  /// before.
  bool is_behind(Activity& activity, const Lane& lane) {
    if (posted_.empty()) return false;
    return open_posted_ == 0 && !lane.open() ? posted_.contains(lane) : is_behind_open(activity, lane);
  }
  bool is_behind_open(Activity& activity, const Lane& lane);
  void offer_arrivals();
  void receive();
  void receive_from_any();
  bool receive(Rank from, const Head& head);
  Posted::iterator posted_for(Rank from, const Head& head);
  void leave_queue(Posted::iterator posted);
  void forget_unposted();

  Endpoint& endpoint_;
  std::size_t count_ = 0;
  Activity* starting_ = nullptr;  // the activity that start() is beginning
  std::vector<Activity*> open_;   // in the order of their start; null: it has been removed
  std::size_t struck_ = 0;        // number of null entries of open_
  std::size_t next_ = 0;          // index in open_ of the next to be looked at
  std::map<Rank, Queue> outgoing_;
  Posted posted_;                            // queues of receives, by lane
  std::map<Rank, std::size_t> posted_from_;  // number of receives by source; any source is first
  std::size_t open_posted_ = 0;              // number of receives from any source or with any tag
  std::uint64_t posts_ = 0;                  // number of receives that have been in queues
  bool everywhere_ = false;
};

}  // namespace vnode
