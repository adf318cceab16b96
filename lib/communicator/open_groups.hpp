#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "runtime/fabric.hpp"

namespace vnode {

struct SharedGroup;

/// What was found when the members' calls were compared: sentences, or nothing.
struct GroupFaults {
  std::string differ;  ///< members have made different calls
  std::string missed;  ///< some have made a call that others have not
};

/// The groups that were made in a run and have not ended. When one ends, and when the run does, its members'
/// calls are compared: a mismatch may have left its trace on boards only, which end with the group.
class OpenGroups {
 public:
  explicit OpenGroups(Fabric& fabric) : fabric_(fabric) {}

  /// Throws std::bad_alloc.
  void add(const SharedGroup& group);
  /// The last member has dropped it. Does nothing for a group of an earlier run, whose team may have ended.
  void end(const SharedGroup& group) noexcept;
  /// The run is over: what was found in all groups that were made in it.
  GroupFaults close();

 private:
  void examine(const SharedGroup& group);

  Fabric& fabric_;
  std::mutex mutex_;
  std::vector<const SharedGroup*> open_;
  GroupFaults faults_;
};

}  // namespace vnode
