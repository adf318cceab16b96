#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "runtime/fabric.hpp"

namespace vnode {

struct SharedGroup;

/// What was found when the calls of groups' members were compared: sentences, or nothing.
struct GroupFaults {
  std::string differ;  ///< members have made different calls
  std::string missed;  ///< some have made a call that others have not
};

/// The groups that splits of a team have made and somebody still has: they outlive the run that made them.
/// When one ends, and when a run does, its members' calls are compared: a mismatch may have left its trace on
/// boards only, which end with the group.
class SplitGroups {
 public:
  explicit SplitGroups(Fabric& fabric) : fabric_(fabric) {}

  /// Within a run, on any node's thread. Throws std::bad_alloc.
  void add(SharedGroup& group);
  /// The last member has dropped it.
  void end(const SharedGroup& group) noexcept;
  /// A run is over: what was found in all groups since the last one.
  GroupFaults examine();
  /// Between runs, when one has failed: the numbers of all groups' calls begin again.
  void reset();
  /// The team ends, and its fabric with it: groups that are still there are forgotten.
  void close();

 private:
  void examine(const SharedGroup& group);

  Fabric& fabric_;
  std::mutex mutex_;
  std::vector<SharedGroup*> groups_;
  GroupFaults faults_;
};

}  // namespace vnode
