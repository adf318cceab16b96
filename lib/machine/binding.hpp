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
  /// A thread that had, before, only a part of `outside`, from a pinned thread that had started it, gets
  /// `outside` back.
  explicit PinnedThread(const std::vector<int>& pus_os_indices, const std::vector<int>& outside = {});
  ~PinnedThread();
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;

  /// Returns whether it is the calling thread that it pins.
  bool here() const;

 private:
  std::shared_ptr<Pins> pins_;
};

/// Returns whether somebody pins the calling thread.
bool thread_is_pinned();
/// Returns the calling thread's affinity as PU os indices, ascending.
std::vector<int> thread_affinity();
/// Returns the affinity that the calling thread had before it was pinned, or has if it is not pinned.
std::vector<int> unpinned_affinity();
/// Returns the PUs that the process may use, whatever the calling thread is bound to: those that its main
/// thread might use when libvnode was loaded, those of unpinned_affinity(), and, if libgomp had bound the
/// main thread before, those of its places; of these, those that the cpuset has now. Starts a thread for a
/// moment if the calling thread's affinity lacks any.
std::vector<int> process_affinity();
/// Gives the calling thread, and those that it starts, process_affinity() for as long as what it returns
/// lives; null if the thread has that. Throws SystemError if the operating system refuses.
std::unique_ptr<PinnedThread> with_process_affinity();
/// Returns the os indices of the PUs that the kernel lets a thread run on; `thread` is a number of gettid().
/// Returns none, with errno, if the kernel refuses.
std::vector<int> affinity_of(int thread);
/// Lets the calling thread run on these PUs only. Returns false, with errno, if the kernel refuses.
bool set_thread_affinity(const std::vector<int>& pus);
/// Returns the os index of the PU that the calling thread runs on at this moment.
int current_pu();

}  // namespace vnode
