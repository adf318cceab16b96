#pragma once

#include <cstddef>
#include <optional>

#include <vnode/rank.hpp>
#include <vnode/schedule.hpp>

namespace vnode {

// Pairs of rounds that can be run in one.

/// The node to which all others signal in `round`, and which signals to all in the next; if there is one, and
/// there are enough others to make counting them pay.
std::optional<Rank> meeting_place(const Schedule& schedule, std::size_t round);

/// Whether all that is combined in `round` goes back, in the next, to those from whom it came, and nothing
/// else happens, and no node sends more then than another receives. So it costs no node more to write results
/// where they go than to fetch them.
bool returns_to_sources(const Schedule& schedule, std::size_t round);

}
