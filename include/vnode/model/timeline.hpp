#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Describes a message of a run, predicted or measured. Times are seconds since the run began.
struct TimedMessage {
  int round = 0;          ///< round of the schedule, counted from 0
  Rank from = 0;          ///< the sender
  Rank to = 0;            ///< the receiver
  std::size_t bytes = 0;  ///< its length
  double start = 0;       ///< the time when the sender begins with it
  double departure = 0;   ///< the time when its first byte leaves; start if that is not known
  double end = 0;         ///< the time when the receiver has its last byte
  friend bool operator==(const TimedMessage&, const TimedMessage&) = default;
};

/// Describes the subject of a run, as far as it is known.
struct RunSubject {
  std::string algorithm = {};                       ///< the algorithm's name in the registry
  std::string topology = {};                        ///< the topology's text: "mesh:4x4"
  std::optional<std::size_t> bytes = std::nullopt;  ///< m in bytes
  std::optional<int> segments = std::nullopt;       ///< number of segments of a message
  std::optional<Rank> root = std::nullopt;          ///< the root, if the collective has one
  friend bool operator==(const RunSubject&, const RunSubject&) = default;
};

/// Describes the messages of a run with their times.
struct Timeline {
  std::string title;                   ///< for people: "broadcast_binomial, 1 MiB, predicted"
  int nodes = 0;                       ///< p
  double seconds = 0;                  ///< from the first start to the last end
  std::vector<TimedMessage> messages;  ///< ordered by start, then round, sender, receiver
  RunSubject of = {};                  ///< the subject of the run
  friend bool operator==(const Timeline&, const Timeline&) = default;
};

/// Returns the timeline as a trace that Chrome (about:tracing) and Perfetto open: JSON, with one complete
/// event ("ph": "X") for each message, on the track of its receiver, with round (from 1), from, to and bytes
/// as arguments. Times are in microseconds there.
std::string to_trace(const Timeline& timeline);
/// Reads what to_trace() writes. Events of other categories are skipped. Throws UsageError, which names the
/// event, its line, and what is wrong with it.
Timeline timeline_from_trace(std::string_view text);

}  // namespace vnode
#pragma GCC visibility pop
