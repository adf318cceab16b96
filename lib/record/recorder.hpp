#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <vector>

#include <vnode/model/trace.hpp>
#include <vnode/rank.hpp>

#include "record/journal.hpp"

namespace vnode {

/// Describes what a node has done in a call: one end of a message, the begin or end of the call, or what the
/// node was occupied with.
struct TraceEvent {
  /// Tells which end of a message this is. `served` says that the sender has copied its part of it,
  /// `forwarded` that the node that combined a result has written it where it goes.
  enum class End : std::uint8_t {
    none,
    call,  ///< the call's begin
    sent,
    published,
    received,
    taken,
    served,
    forwarded,
    arrived,
    released,
    done  ///< the call's end
  };
  End end_of = End::none;
  std::optional<Occupation::Kind> occupation{};
  bool in_place = false;  ///< of received and taken: what was read lay in the sender's memory
  std::uint16_t context = 0, round = 0;
  std::uint16_t failures = 0;  ///< how many runs have failed before, after each of which numbers begin again
  std::uint32_t call = 0;
  Rank rank = 0;                    ///< the node's own, in the context
  Rank peer = -1;                   ///< the other end's rank; of call: how many nodes there are
  std::size_t bytes = 0;            ///< of the message; of call: the count of its record
  std::int64_t begin = 0, end = 0;  ///< nanoseconds of the steady clock, which all nodes share
  const CallKind* kind = nullptr;   ///< call: of the record
};

/// Records what one node has done while the team is traced, in memory that was allocated before. One thread
/// records; another may take at the same time.
class Recorder {
 public:
  /// Allocates memory for so many events, and touches it. Throws std::bad_alloc.
  explicit Recorder(std::size_t events) : queue_(possible(events)) {
    while (queue_.push(TraceEvent{})) {
    }
    queue_.reset();
  }

  /// Records an event. If there is no room, the event is only counted.
  void record(TraceEvent event) {
    event.failures = failures_;
    if (!queue_.push(event)) dropped_.fetch_add(1, std::memory_order_relaxed);  // a mere counter
  }
  /// Records that the node begins a call.
  void begin(std::uint16_t context, std::uint32_t call, Rank rank, int nodes, const CallRecord& record);
  /// Records that the node is done with a call.
  void done(std::uint16_t context, std::uint32_t call, Rank rank);

  /// Notes, between runs, that one has failed, so that the numbers of calls begin again.
  void run_failed() { ++failures_; }

  /// Adds what has been recorded since the last time to `events`; returns how many had no room.
  std::size_t take(std::vector<TraceEvent>& events);

  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

 private:
  /// Returns `events`, or throws std::bad_alloc: the queue adds one to the number, and multiplies it by their
  /// size.
  static std::size_t possible(std::size_t events) {
    if (events >= std::numeric_limits<std::ptrdiff_t>::max() / sizeof(TraceEvent)) throw std::bad_alloc();
    return events;
  }

  boost::lockfree::spsc_queue<TraceEvent> queue_;
  std::uint16_t failures_ = 0;
  std::atomic<std::size_t> dropped_{0};
};

/// Makes the trace of these events: joins the two ends of each message. Takes O(n log n) for n events.
Trace joined(const std::vector<TraceEvent>& events);

}
