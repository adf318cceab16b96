#pragma once

#include <exception>
#include <vector>

#include "base/said.hpp"
#include "channel/wire.hpp"

namespace vnode {

/// Sees to it that all processes of a cluster come to have a team, or none does. What they settle is
/// exchanged in steps, the same in all of them, and in each step a process says first whether it has failed
/// since the last one: then nobody waits for it in the next one.
class JointBeginning {
 public:
  explicit JointBeginning(Transport& transport) : transport_(transport) {}

  Transport& transport() const { return transport_; }
  /// Returns what every process says, by process. Throws SystemError, which names it, if another one has
  /// failed.
  std::vector<Said> exchange(const Said& own);
  /// Tells the others, in the step that they are at, that this process cannot make its part of the team, and
  /// why. Does nothing if they know already that there will be no team.
  void fail(const std::exception_ptr& reason);

 private:
  std::vector<Said> step(const std::exception_ptr& failure, const Said& own);

  Transport& transport_;
  bool failed_ = false;  // in some process
};

}  // namespace vnode
