#pragma once

#include <exception>
#include <vector>

#include "base/message_buffer.hpp"
#include "channel/wire.hpp"

namespace vnode {

/// Ensures that either all processes of a cluster get a team or none does. They exchange what they settle in
/// the same steps in all of them. In each step a process says first whether it has failed since the last one,
/// so that nobody waits for it in the next one.
class JointBeginning {
 public:
  explicit JointBeginning(Transport& transport) : transport_(transport) {}

  Transport& transport() const { return transport_; }
  /// Exchanges data with all processes and returns it by process. Throws SystemError, which names the
  /// process, if another one has failed.
  std::vector<MessageBuffer> exchange(const MessageBuffer& own);
  /// Tells the others, in their current step, that this process cannot make its part of the team, and why.
  /// Does nothing if they know already that there will be no team.
  void fail(const std::exception_ptr& reason);

 private:
  std::vector<MessageBuffer> step(const std::exception_ptr& failure, const MessageBuffer& own);

  Transport& transport_;
  bool failed_ = false;  // whether some process has failed
};

}  // namespace vnode
