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

#include <vnode/lab/trace.hpp>
#include <vnode/rank.hpp>

#include "runtime/context.hpp"
#include "runtime/journal.hpp"

namespace vnode {

/// What a node has done in a call: one end of a message, its begin or end, or what it was occupied with.
struct TraceEvent {
  /// What of a message this is; `served`: the sender has copied its part of it; `forwarded`: a result was
  /// written where it goes by who has combined it.
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
  bool in_place = false;  ///< received, taken: what was read lay in the sender's memory
  std::uint16_t context = 0, round = 0;
  std::uint16_t failures = 0;  ///< how many runs have failed before, after each of which numbers begin again
  std::uint32_t call = 0;
  Rank rank = 0;                    ///< the node's own, in the context
  Rank peer = -1;                   ///< the other end's; call: how many nodes there are
  std::size_t bytes = 0;            ///< of the message; call: of the record
  std::int64_t begin = 0, end = 0;  ///< nanoseconds of the steady clock, which all nodes share
  const CallKind* kind = nullptr;   ///< call: of the record
};

/// What one node has done while the team is traced, in memory that was there before. One thread records;
/// another may take at the same time.
class Recorder {
 public:
  /// For so many events; the memory has been touched. Throws std::bad_alloc.
  explicit Recorder(std::size_t events) : queue_(possible(events)) {
    while (queue_.push(TraceEvent{})) {
    }
    queue_.reset();
  }

  /// Where there is no room, it is counted only.
  void record(TraceEvent event) {
    event.failures = failures_;
    if (!queue_.push(event)) dropped_.fetch_add(1, std::memory_order_relaxed);  // a mere counter
  }
  /// The node begins with a call.
  void begin(std::uint16_t context, std::uint32_t call, Rank rank, int nodes, const CallRecord& record);
  /// And is done with it.
  void done(std::uint16_t context, std::uint32_t call, Rank rank);

  /// Between runs: one has failed, and the numbers of calls begin again.
  void run_failed() { ++failures_; }

  /// Adds what has been recorded since the last time to `events`; returns how many had no room.
  std::size_t take(std::vector<TraceEvent>& events);

  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

 private:
  /// The queue adds one to the number of events, and multiplies by their size.
  static std::size_t possible(std::size_t events) {
    if (events >= std::numeric_limits<std::ptrdiff_t>::max() / sizeof(TraceEvent)) throw std::bad_alloc();
    return events;
  }

  boost::lockfree::spsc_queue<TraceEvent> queue_;
  std::uint16_t failures_ = 0;
  std::atomic<std::size_t> dropped_{0};
};

/// Puts the ends of messages together. O(events log events).
Trace joined(const std::vector<TraceEvent>& events);

}
