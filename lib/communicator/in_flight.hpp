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
#include <vnode/request.hpp>

#include "communicator/team_life.hpp"
#include "runtime/endpoint.hpp"
#include "runtime/message_pattern.hpp"
#include "runtime/waiter.hpp"

namespace vnode {

class Engine;

/// Messages that a node receives from another with one tag are matched in the order in which they were
/// started. So are those that it sends to another, whatever their tags. Receives that leave source or tag
/// open have lanes too, with those of a MessagePattern.
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

/// Where the calls of a node lie that somebody has a Request or Persistent of, and what these keep: in pieces
/// of one size, of which it keeps some for the calls to come, so that a call allocates nothing. What lies
/// there may end after the node's engine: the last of it takes the memory along. One thread's, but for the
/// last, which end when that thread makes no calls any more.
class CallMemory {
 public:
  struct Leave {
    void operator()(CallMemory* memory) const noexcept { memory->leave(); }
  };
  /// The engine's.
  using Owner = std::unique_ptr<CallMemory, Leave>;

  /// Aligned to 16 bytes. Throws std::bad_alloc.
  void* take(std::size_t bytes);
  /// What take() of whatever memory has returned.
  static void give_back(void* taken) noexcept;

 private:
  struct alignas(16) Piece {
    CallMemory* memory;
    Piece* next;  // that is kept; of one that is larger than usual it is itself
  };
  static constexpr std::size_t usual_bytes = 640, most_kept = 64;

  void leave() noexcept;

  Piece* kept_ = nullptr;
  std::size_t number_kept_ = 0, taken_ = 0;
  bool left_ = false;
};

/// A call of a node that an engine may drive. It never blocks.
class Activity {
 public:
  Activity() = default;
  virtual ~Activity() = default;
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  static void* operator new(std::size_t bytes, CallMemory& memory) { return memory.take(bytes); }
  static void operator delete(void* activity, CallMemory&) noexcept { CallMemory::give_back(activity); }
  static void operator delete(void* activity) noexcept { CallMemory::give_back(activity); }

  /// Before the first advance(): the call gets its number, and what it needs for a while.
  virtual void begin() {}
  /// It is complete or lost: what it has borrowed goes back, since the engine may end before it.
  virtual void end() {}
  /// True when it is complete. Throws what the call throws.
  virtual bool advance() = 0;
  /// What it waits for, after advance() has returned false.
  virtual Awaited awaited() const = 0;
  /// Then: a word that changes when there may be something to do, or nullptr.
  virtual const std::atomic<std::uint64_t>* watch() const = 0;
  /// The lane in which later messages have to wait for this one; nothing once it has been matched.
  virtual std::optional<Lane> lane() const { return {}; }
  /// A receive that leaves source or tag open is matched with the oldest message of this node and tag.
  virtual void bind(Rank, std::uint32_t) {}
  /// When it is complete: the number of elements received. It says of the message how long it was, and its
  /// source and tag if they were open.
  virtual std::size_t received(MessageInfo&) const { return 0; }

  /// The engine that drives it; null before it is started, and when it is complete or lost.
  Engine* engine() const { return engine_; }
  /// Throws if its run has ended before it was complete: Aborted within that run, UsageError afterwards.
  void check_found() const {
    if (lost_in_ != nullptr) refuse_lost();
  }
  /// That of who tests it.
  Patience& patience() { return patience_; }
  /// Whether an exception has begun to unwind its node since it was started.
  bool unwinds() const { return std::uncaught_exceptions() > exceptions_; }

  // Those of the calls in flight, whose list or queue it is in:
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  std::size_t listed_at = nowhere;
  Activity* behind = nullptr;  ///< it, in the queue
  std::uint64_t posted = 0;    ///< its number among the receives that have been in queues

  // The engine's:
  void found() {
    if (lost_in_ != nullptr) lost_in_ = nullptr;
  }
  void attach(Engine& engine) {
    engine_ = &engine;
    patience_ = {};
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
  std::uint64_t run_ = 0;                    // in which it was lost
  Patience patience_;
  int exceptions_ = 0;  // that were in flight when it was started
};

/// A node's calls in flight. A message that cannot be sent or received before others of its lane stands in
/// their queue, and only the first of a queue is looked at: of what is to be sent when its turn comes, of
/// what is to be received when a message arrives that it waits for. All other calls are looked at in turn, so
/// many at a time. So looking after them takes a time that does not grow with their number. One thread's.
class InFlight {
 public:
  explicit InFlight(Endpoint& endpoint) : endpoint_(endpoint) {}

  bool empty() const { return count_ == 0; }
  /// Begins the activity, and advances it unless it stands behind others. What is not complete then is in
  /// flight, and `engine` drives it.
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
  /// What has begun and been advanced is in flight from now on, and `engine` drives it.
  void add(Activity& activity, Engine& engine);
  /// Grows with all that is done in these calls, until the next is started: Awaited::progress of each, and
  /// more when one is complete.
  std::uint64_t progress_made() const;
  /// Advances calls: all of them if they are few, or if `all`.
  void progress(bool all = false);
  /// After progress(): advances this one, if it was not among them.
  void advance(Activity& activity);
  /// Whether nothing else is in flight, and nothing is to be looked at but this one.
  bool alone(const Activity& activity) const {
    return count_ == 1 && activity.listed_at != Activity::nowhere;
  }
  /// Advances one that is looked at in turn; true if it is complete.
  bool step(Activity& activity);
  /// Whether a receive in flight has not been matched.
  bool receives() const { return !posted_from_.empty(); }
  /// Whether one of these is for a message from this node with this tag.
  bool receives(Rank from, const MessagePattern& sent) const;
  /// Gives the messages that have come and fit to the receives in flight that they are for, and sets aside
  /// what is for none of these, until it has set aside one that fits.
  void sift(const MessagePattern& pattern, bool everywhere);
  /// Takes one out that is not complete, and may be advancing: it stays as it is, and the run has been
  /// aborted.
  void drop(Activity& activity);
  /// Takes out a receive that has not been matched, which is complete then; false if it has been.
  bool cancel(Activity& activity);
  /// While a wait is long: looks for messages from any source miss nothing that is there.
  void look_everywhere() { everywhere_ = true; }
  /// All are lost, in the run that is on.
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

  /// Whether a receive that starts must wait its turn: others that are for what it is for were started
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
  Activity* starting_ = nullptr;  // what start() begins, while it does
  std::vector<Activity*> open_;   // in the order in which they were started; null: it has been struck
  std::size_t struck_ = 0;        // of open_
  std::size_t next_ = 0;          // of open_, to be looked at
  std::map<Rank, Queue> outgoing_;
  Posted posted_;                            // receives
  std::map<Rank, std::size_t> posted_from_;  // how many of them, those from any source first
  std::size_t open_posted_ = 0;              // of them, those that leave source or tag open
  std::uint64_t posts_ = 0;                  // receives that have been in queues
  bool everywhere_ = false;
};

}  // namespace vnode
