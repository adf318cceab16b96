#pragma once

#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// A ping-pong of messages between two nodes.
Question send_question(const Setting& setting);
/// Messages both ways at the same time between two nodes.
Question sendrecv_question(const Setting& setting);

}  // namespace vnode::bench
