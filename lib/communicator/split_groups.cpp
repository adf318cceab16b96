#include "communicator/split_groups.hpp"

#include <new>
#include <utility>

#include "communicator/shared_group.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {

void SplitGroups::add(SharedGroup& group) {
  const std::lock_guard lock(mutex_);
  groups_.push_back(&group);
}

void SplitGroups::end(const SharedGroup& group) noexcept {
  const std::lock_guard lock(mutex_);
  if (std::erase(groups_, &group) == 0) return;
  try {
    examine(group);
  } catch (const std::bad_alloc&) {
    // Without memory for a sentence there is none.
  }
}

/// Of several faults the first is kept. In a run that has failed, nodes leave their groups anywhere.
void SplitGroups::examine(const SharedGroup& group) {
  if (faults_.differ.empty()) faults_.differ = difference_text(fabric_, group.context);
  if (faults_.missed.empty() && !fabric_.aborted()) faults_.missed = missed_text(fabric_, group.context);
}

GroupFaults SplitGroups::examine() {
  const std::lock_guard lock(mutex_);
  for (const SharedGroup* const group : groups_) examine(*group);
  return std::exchange(faults_, {});
}

void SplitGroups::reset() {
  const std::lock_guard lock(mutex_);
  for (SharedGroup* const group : groups_) group->reset();
  faults_ = {};
}

void SplitGroups::close() {
  const std::lock_guard lock(mutex_);
  groups_.clear();
}

}  // namespace vnode
