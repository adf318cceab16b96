#pragma once

#include <stdexcept>
#include <string>

#include <vnode/language.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Is thrown when the caller asks for something that has no meaning: a rank out of range, `mesh:0x4`, an
/// unknown algorithm. The text says what was wrong and what would be right.
class UsageError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Is thrown when the machine or the operating system refuses: a PU outside the allowed cpuset, an unreadable
/// file, no memory.
class SystemError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Is thrown out of a blocked call because another node failed, with the sentence of that node's exception,
/// which Team::run rethrows instead.
class Aborted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Is thrown when the nodes' calls do not match: another collective, count, type, root or operator, or a call
/// that a node never makes.
class Mismatch : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Is thrown in all nodes of a run when each of them waits for another, or has left the run, and nothing is
/// on its way: none could ever go on. The text names the same as that of TimeLimitExceeded, and what has been
/// sent to a node that waits for something else.
class Deadlock : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Is thrown when a call takes longer than the team's time limit. The text names, for each node, its call,
/// round and awaited peer.
class TimeLimitExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace vnode
#pragma GCC visibility pop
