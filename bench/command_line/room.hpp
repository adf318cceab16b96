#pragma once

#include <cstddef>

#include "command_line/options.hpp"
#include "questions/register.hpp"

namespace vnode::bench {

/// The largest m whose vectors, those of all nodes together, take no more than half of this machine's memory.
std::size_t most_bytes(const Operation& operation, const Setting& setting);
/// Throws UsageError, which says what would fit, if the largest size that the options ask for does not fit
/// for every collective. For measurements of all collectives.
void check_room(const Options& options, int nodes);

}  // namespace vnode::bench
