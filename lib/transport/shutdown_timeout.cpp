#include "transport/shutdown_timeout.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>

#include "transport/remote.hpp"

namespace vnode {

ShutdownTimeout::ShutdownTimeout(Remote& remote)
    : remote_(remote), ask_(Clock::time_point::max()), end_(ask_) {
  const std::chrono::nanoseconds limit = remote.fabric().time_limit();
  if (limit.count() == 0) return;
  const std::chrono::nanoseconds most = std::max<std::chrono::nanoseconds>(limit, std::chrono::seconds(2));
  end_ = Clock::now() + most;
  ask_ = end_ - most / 2;
}

void ShutdownTimeout::look() {
  if (end_ == Clock::time_point::max()) return;
  const Clock::time_point now = Clock::now();
  if (now < ask_) return;
  Fabric& fabric = remote_.fabric();
  if (now >= end_) fabric.end_job("not all processes have come to the end of this run within the time limit");
  try {
    if (!std::exchange(asked_, true)) remote_.inquire(fabric.world().nodes());
  } catch (const std::exception&) {
    // A node that could not be asked counts as one that has not answered.
  }
}

void ShutdownTimeout::wire_has_failed() {
  constexpr int most = 1000;
  if (++errors_ == most) remote_.fabric().end_job("what carries between processes fails again and again");
}

}  // namespace vnode
