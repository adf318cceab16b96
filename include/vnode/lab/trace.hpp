#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <vnode/lab/timeline.hpp>
#include <vnode/rank.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What a node was occupied with for a while in a call.
struct Occupation {
  /// In waiting for others; in copying; in combining; in telling others what it has for them.
  enum class Kind : std::uint8_t { wait, copy, combine, send };
  Rank node = 0;           ///< its rank in the call's group
  Kind kind = Kind::wait;  ///< with what
  int round = 0;           ///< of the schedule, from 0
  double begin = 0;        ///< seconds since the first node began with the call
  double end = 0;          ///< likewise
  friend bool operator==(const Occupation&, const Occupation&) = default;
};
/// "wait", "copy", "combine", "send".
std::string_view name(Occupation::Kind kind);

/// A collective call as it was carried out. Ranks are those of its group. Group::split makes three calls of
/// its own in the group that is split, two all_gathers and a barrier; they are there, too.
struct TracedCall {
  std::uint16_t group = 0;   ///< 0: all nodes of the team; otherwise the group's number
  std::uint32_t number = 0;  ///< of the call in its group; begins again at 1 after a run that failed
  /// Its messages, since the first node began with it. A message that travels in lines departs when it is in
  /// the channel or on the board; one that is read where it lies, when the first copying of it begins.
  Timeline timeline;
  std::vector<Occupation> occupations;  ///< by node, then by begin
  /// Every node had room for its part. Otherwise messages are missing: those of which an end is.
  bool complete = false;
};

/// What the nodes of a team have recorded: see Team::trace.
struct Trace {
  std::vector<TracedCall> calls;  ///< by begin
  std::size_t dropped = 0;        ///< events that nodes had no room for
};

}  // namespace vnode
#pragma GCC visibility pop
