#pragma once

#include <string>

namespace vnode {

/// The time, "2026-11-21T19:30:00Z".
std::string utc_now();

}  // namespace vnode
