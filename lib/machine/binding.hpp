#pragma once

#include <memory>
#include <vector>

#include <vnode/unpinned.hpp>

namespace vnode {

/// From now on calls `before` in a thread that is about to fork, and afterwards `in_parent` and, in the new
/// process, `in_child`, none of which may throw. Throws std::bad_alloc.
void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)());

class Pins;

/// Pins the thread that makes it to one PU, or to several. Destroyed on any thread, in any order: the newest
/// of a thread's pins that is left counts, and after the last the affinity from before the first returns.
/// Throws SystemError if the operating system refuses.
class PinnedThread {
 public:
  explicit PinnedThread(int pu_os_index) : PinnedThread(std::vector{pu_os_index}) {}
  /// `outside`: what a thread gets back if, before, it had but a part of that, of a pinned thread that had
  /// started it.
  explicit PinnedThread(const std::vector<int>& pus_os_indices, const std::vector<int>& outside = {});
  ~PinnedThread();
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;

  /// Whether it is the calling thread that it pins.
  bool here() const;

 private:
  std::shared_ptr<Pins> pins_;
};

/// Whether somebody pins the calling thread.
bool thread_is_pinned();
/// The calling thread's affinity as PU os indices, ascending.
std::vector<int> thread_affinity();
/// Returns the affinity that the calling thread had before it was pinned, or has if it is not pinned.
std::vector<int> unpinned_affinity();
/// The os index of the PU the calling thread runs on at this moment.
int current_pu();

}  // namespace vnode
