#pragma once

#include <chrono>

namespace vnode {

class Remote;

/// The wait of a run that has failed for other processes: until they have taken what it was sending them, and
/// until they come to its end. With a time limit it lasts no longer than that, or than two seconds if those
/// are more, and only as long as the wire does not fail again and again. Memory that the wire was lent cannot
/// be had back from it, so then all processes end, and why is written to stderr.
class LastWait {
 public:
  /// `remote`: a node's that nobody else uses meanwhile.
  explicit LastWait(Remote& remote);
  /// Is called again and again; ends the job when the wait has been too long.
  void look();
  /// The wire has failed in it. The run has failed already, so nobody is told.
  void wire_has_failed();

 private:
  using Clock = std::chrono::steady_clock;
  Remote& remote_;
  Clock::time_point ask_, end_;
  bool asked_ = false;
  int errors_ = 0;  // of the wire
};

}  // namespace vnode
