#pragma once

#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Returns the question of a ping-pong of messages between two nodes.
Question send_question(const Setting& setting);
/// Returns the question of messages both ways at the same time between two nodes.
Question sendrecv_question(const Setting& setting);

}  // namespace vnode::bench
