#include "communicator/open_groups.hpp"

#include <new>
#include <utility>

#include "communicator/shared_group.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {

void OpenGroups::add(const SharedGroup& group) {
  const std::lock_guard lock(mutex_);
  open_.push_back(&group);
}

void OpenGroups::end(const SharedGroup& group) noexcept {
  const std::lock_guard lock(mutex_);
  if (std::erase(open_, &group) == 0) return;
  try {
    examine(group);
  } catch (const std::bad_alloc&) {
    // Without memory for a sentence there is none.
  }
}

/// Of several faults the first is kept. In a run that has failed, nodes leave their groups anywhere.
void OpenGroups::examine(const SharedGroup& group) {
  if (faults_.differ.empty()) faults_.differ = difference_text(fabric_, group.context);
  if (faults_.missed.empty() && !fabric_.aborted()) faults_.missed = missed_text(fabric_, group.context);
}

GroupFaults OpenGroups::close() {
  const std::lock_guard lock(mutex_);
  for (const SharedGroup* const group : open_) examine(*group);
  open_.clear();
  return std::exchange(faults_, {});
}

}  // namespace vnode
