#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/fabric.hpp"

namespace vnode {

struct SharedGroup;

/// The groups that splits of a team have made and somebody still has: they outlive the run that made them.
class SplitGroups {
 public:
  /// Within a run, on any node's thread.
  void add(const std::shared_ptr<SharedGroup>& group);
  /// Between runs: a sentence about a call that some members of a group have made and others have not, or
  /// nothing.
  std::string missed(Fabric& fabric);
  /// Between runs, when one has failed: the numbers of all groups' calls begin again.
  void reset();

 private:
  void forget_ended();

  std::mutex mutex_;
  std::vector<std::weak_ptr<SharedGroup>> groups_;
};

}  // namespace vnode
