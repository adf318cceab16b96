#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// One message of a run, predicted or measured. Times are seconds since the run began.
struct TimedMessage {
  int round = 0;          ///< of the schedule, from 0
  Rank from = 0;          ///< the sender
  Rank to = 0;            ///< the receiver
  std::size_t bytes = 0;  ///< its length
  double start = 0;       ///< the sender begins with it
  double departure = 0;   ///< its first byte leaves; start where that is not known
  double end = 0;         ///< the receiver has its last byte
  friend bool operator==(const TimedMessage&, const TimedMessage&) = default;
};

/// What a run was of, as far as that is known.
struct RunSubject {
  std::string algorithm = {};                       ///< its name in the registry
  std::string topology = {};                        ///< its text: "mesh:4x4"
  std::optional<std::size_t> bytes = std::nullopt;  ///< m
  std::optional<int> segments = std::nullopt;       ///< pieces of a message
  std::optional<Rank> root = std::nullopt;          ///< where the collective has one
  friend bool operator==(const RunSubject&, const RunSubject&) = default;
};

/// When which message of a run was on its way.
struct Timeline {
  std::string title;                   ///< for people: "broadcast_binomial, 1 MiB, predicted"
  int nodes = 0;                       ///< p
  double seconds = 0;                  ///< from the first start to the last end
  std::vector<TimedMessage> messages;  ///< by start, then round, sender, receiver
  RunSubject of = {};                  ///< what it was a run of
  friend bool operator==(const Timeline&, const Timeline&) = default;
};

/// The timeline as a trace that Chrome (about:tracing) and Perfetto open: JSON, one complete event ("ph":
/// "X") for each message, on the track of its receiver, with round (from 1), from, to and bytes as arguments.
/// Times are microseconds there.
std::string to_trace(const Timeline& timeline);
/// The timeline of such a text. Events of other categories are skipped. UsageError names the event, its line,
/// and what is wrong with it.
Timeline timeline_from_trace(std::string_view text);

}  // namespace vnode
#pragma GCC visibility pop
