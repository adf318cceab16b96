#pragma once

#include <string>
#include <string_view>

#include <vnode/schedule.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// The rounds of a schedule on one line, as algorithm headers show them: `1: 0>4; 2: 0>2 4>6; 3: 0>1 2>3 4>5
/// 6>7`. `a>b` replaces, `a+>b` combines a's blocks before b's own, `a>+b` after. Blocks are written behind
/// the transfer unless they are all of them: `0>1[0-3,6]`, and `0>1[0-3:4-7]` if they go into others. `[]` is
/// a signal among blocks.
std::string picture(const Schedule& schedule);

/// The text form: a line `nodes 8 blocks 1`, then a line per round in the notation of picture().
std::string to_text(const Schedule& schedule);
/// Reads what to_text() writes. UsageError says in which round and where the text is wrong.
Schedule schedule_from_text(std::string_view text);

/// {"nodes","blocks","rounds":[[{"from","to","blocks":[...],"into":[... if
/// other],"effect":"replace"}...]...]}
std::string to_json(const Schedule& schedule);
/// Reads what to_json() writes; other keys are ignored. UsageError names the round, the transfer and the key.
Schedule schedule_from_json(std::string_view json);

/// "replace", "combine_before", "combine_after".
std::string_view name(Effect effect);

}  // namespace vnode
#pragma GCC visibility pop
