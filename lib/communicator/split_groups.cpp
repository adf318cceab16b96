#include "communicator/split_groups.hpp"

#include "communicator/shared_group.hpp"
#include "runtime/mismatch.hpp"

namespace vnode {

void SplitGroups::add(const std::shared_ptr<SharedGroup>& group) {
  const std::lock_guard lock(mutex_);
  if (groups_.size() == groups_.capacity()) forget_ended();
  groups_.push_back(group);
}

std::string SplitGroups::missed(Fabric& fabric) {
  const std::lock_guard lock(mutex_);
  forget_ended();
  for (const auto& weak : groups_)
    if (const auto group = weak.lock())
      if (std::string text = missed_text(fabric, group->context); !text.empty()) return text;
  return {};
}

void SplitGroups::reset() {
  const std::lock_guard lock(mutex_);
  for (const auto& weak : groups_)
    if (const auto group = weak.lock()) group->reset();
}

void SplitGroups::forget_ended() {
  std::erase_if(groups_, [](const auto& weak) { return weak.expired(); });
}

}  // namespace vnode
