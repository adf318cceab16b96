#pragma once

#include <string>
#include <string_view>

#include <vnode/model/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Returns the rounds of a schedule on one line, as docs/algorithms.md shows them: `1: 0>4; 2: 0>2 4>6; 3:
/// 0>1 2>3 4>5 6>7`. `a>b` replaces, `a+>b` combines a's blocks before b's own, `a>+b` after. Blocks follow
/// the transfer unless they are all of them: `0>1[0-3,6]`, and `0>1[0-3:4-7]` if they go into others. `[]` is
/// a signal among blocks.
std::string picture(const Schedule& schedule);

/// Limits for a schedule that is read, so that a short text cannot request more memory than there is.
inline constexpr int max_schedule_nodes = 1 << 20, max_schedule_blocks = 1 << 24;

/// Returns the text form: a line `nodes 8 blocks 1`, then a line per round in the notation of picture().
std::string to_text(const Schedule& schedule);
/// Reads what to_text() writes. Blank lines may be anywhere, and `#` begins a comment that goes to the end of
/// its line. Throws UsageError, which names line and column and says what is wrong there; a node that sends
/// to itself is wrong, too.
Schedule schedule_from_text(std::string_view text);

/// Returns the JSON form:
///     {"nodes","blocks","rounds":[[{"from","to","blocks":[...],"into":[... if
///     other],"effect":"replace"}...]...]}
std::string to_json(const Schedule& schedule);
/// Reads what to_json() writes; other keys are ignored. Throws UsageError, which names the round, the
/// transfer and the key or, where the text is not JSON, line and column.
Schedule schedule_from_json(std::string_view json);

}  // namespace vnode
#pragma GCC visibility pop
