#pragma once

#include "communicator/in_flight.hpp"

namespace vnode {

/// An activity other than a plain collective call that a Persistent may start again and again.
class PlannedActivity : public Activity {
 public:
  /// Throws UsageError unless a run of the team is on, and the calling thread is the node.
  virtual void check_thread() const = 0;
};

}  // namespace vnode
