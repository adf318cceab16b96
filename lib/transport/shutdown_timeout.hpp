#pragma once

#include <chrono>

namespace vnode {

class Remote;

/// Limits how long a run that has failed waits for other processes: until they have taken what it was sending
/// them, and until they come to its end. With a time limit the wait lasts no longer than that, or than two
/// seconds if those are more; and it ends if the wire fails again and again. Memory that the wire was lent
/// cannot be taken back from it, so then all processes end, and the reason is written to stderr.
class ShutdownTimeout {
 public:
  /// Begins a wait. `remote` is that of a node, and nobody else uses it meanwhile.
  explicit ShutdownTimeout(Remote& remote);
  /// Ends the job when the wait has been too long. Is called again and again.
  void look();
  /// Counts that the wire has failed in this wait, and ends the job after many times. The run has failed
  /// already, so nobody is told.
  void wire_has_failed();

 private:
  using Clock = std::chrono::steady_clock;
  Remote& remote_;
  Clock::time_point ask_, end_;
  bool asked_ = false;
  int errors_ = 0;  // how often the wire has failed
};

}  // namespace vnode
