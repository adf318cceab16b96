#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <vnode/model/timeline.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Says what a node did for a while in a call.
struct Occupation {
  /// Says what the node did: it waited for others, copied, combined, or sent (told others what it has for
  /// them).
  enum class Kind : std::uint8_t { wait, copy, combine, send };
  Rank node = 0;           ///< its rank in the call's group
  Kind kind = Kind::wait;  ///< what it did
  int round = 0;           ///< round of the schedule, counted from 0
  double begin = 0;        ///< seconds since the first node began with the call
  double end = 0;          ///< seconds since then
  friend bool operator==(const Occupation&, const Occupation&) = default;
};
namespace enums {
/// Returns "wait", "copy", "combine" or "send".
std::string_view name(Occupation::Kind kind);
}

/// Describes a collective call as it was executed. Ranks are those of its group. Group::split makes three
/// calls of its own in the group that is split, an all_gather and two barriers, which are recorded, too.
struct TracedCall {
  std::uint16_t group = 0;   ///< 0: all nodes of the team; otherwise the group's number
  std::uint32_t number = 0;  ///< the call's number in its group; restarts at 1 after a run that failed
  /// The call's messages, in time since the first node began with it. An eager message departs when it is in
  /// the channel or published; a message that is read from its sender's memory departs when its first copying
  /// begins.
  Timeline timeline;
  std::vector<Occupation> occupations;  ///< by node, then by begin
  /// Says whether every node had room for its records. Otherwise messages with an unrecorded end are missing.
  bool complete = false;
};

/// Describes the records of a team's nodes: see Team::trace.
struct Trace {
  std::vector<TracedCall> calls;  ///< calls, ordered by their beginning
  std::size_t dropped = 0;        ///< events that nodes had no room for
};

}  // namespace vnode
#pragma GCC visibility pop
