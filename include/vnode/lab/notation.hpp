#pragma once

#include <string>
#include <string_view>

#include <vnode/lab/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The rounds of a schedule on one line, as algorithm headers show them: `1: 0>4; 2: 0>2 4>6; 3: 0>1 2>3 4>5
/// 6>7`. `a>b` replaces, `a+>b` combines a's blocks before b's own, `a>+b` after. Blocks are written behind
/// the transfer unless they are all of them: `0>1[0-3,6]`, and `0>1[0-3:4-7]` if they go into others. `[]` is
/// a signal among blocks.
std::string picture(const Schedule& schedule);

/// What a schedule that is read may have at most, so that a short text cannot ask for more memory than there
/// is.
inline constexpr int max_schedule_nodes = 1 << 20, max_schedule_blocks = 1 << 24;

/// The text form: a line `nodes 8 blocks 1`, then a line per round in the notation of picture().
std::string to_text(const Schedule& schedule);
/// Reads what to_text() writes. Blank lines may be anywhere, and `#` begins a comment that goes to the end of
/// its line. UsageError names line and column and says what is wrong there; a node that sends to itself is.
Schedule schedule_from_text(std::string_view text);

/// {"nodes","blocks","rounds":[[{"from","to","blocks":[...],"into":[... if
/// other],"effect":"replace"}...]...]}
std::string to_json(const Schedule& schedule);
/// Reads what to_json() writes; other keys are ignored. UsageError names the round, the transfer and the key,
/// or, where the text is not JSON, line and column.
Schedule schedule_from_json(std::string_view json);

}  // namespace vnode
#pragma GCC visibility pop
