#include "call/shared_group.hpp"

#include <fmt/format.h>
#include <new>
#include <utility>

#include <vnode/error.hpp>

#include "call/member.hpp"
#include "channel/context.hpp"
#include "watch/mismatch.hpp"

namespace vnode {

ContextNumber ContextNumbers::take(bool unused) {
  const std::lock_guard lock(pool_->mutex);
  const bool worn = !pool_->free.empty() && pool_->use(pool_->free.back()).groups == 0;
  if (pool_->free.empty() || ((unused || worn) && pool_->uses.size() < pool_->most)) {
    if (pool_->uses.size() >= pool_->most)
      throw SystemError(
          fmt::format("a team can have {} groups at a time{}, and all of them are in use", pool_->most,
                      pool_->most + 1 < message_context ? " whose first nodes are in one process" : ""));
    pool_->free.reserve(pool_->uses.size() + 1);  // so that giving back cannot fail
    pool_->uses.emplace_back();
    pool_->free.push_back(
        static_cast<std::uint16_t>(pool_->first + pool_->uses.size() - 1));  // 0 is that of all nodes
  }
  const std::uint16_t id = pool_->free.back();
  pool_->free.pop_back();
  Use& use = pool_->use(id);
  return {pool_, id, use.groups++, use.last_call};
}

ContextNumber::~ContextNumber() {
  if (pool_ == nullptr) return;
  const std::lock_guard lock(pool_->mutex);
  auto& use = pool_->use(id_);
  use.last_call = last_call_;
  pool_->free.insert(use.groups == 0 ? pool_->free.begin() : pool_->free.end(), id_);
}

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
    // If there is no memory for a sentence, nothing is reported.
  }
}

/// Looks for faults in the group, and keeps the first that are found. In a run that has failed, calls that
/// are not complete are no faults, since nodes leave their groups anywhere.
void SplitGroups::examine(const SharedGroup& group) {
  if (faults_.differ.empty()) faults_.differ = difference_text(fabric_, group.context);
  if (faults_.undone.empty() && !fabric_.aborted()) faults_.undone = missed_text(fabric_, group.context);
}

Faults SplitGroups::examine() {
  const std::lock_guard lock(mutex_);
  for (const SharedGroup* const group : groups_) examine(*group);
  return std::exchange(faults_, {});
}

std::vector<Rank> SplitGroups::nodes_of(std::uint16_t context) {
  const std::lock_guard lock(mutex_);
  for (const SharedGroup* const group : groups_)
    if (group->context.id() == context) return group->context.nodes();
  return {};
}

void SplitGroups::reset() {
  const std::lock_guard lock(mutex_);
  for (SharedGroup* const group : groups_) group->reset();
  faults_ = {};
}

void SplitGroups::renew(bool other_costs) {
  const std::lock_guard lock(mutex_);
  for (SharedGroup* const group : groups_) group->renew(other_costs);
}

void SharedGroup::renew(bool other_costs) {
  Nearness now = nearness();
  // Without near and far it does not matter which node is where.
  if (!other_costs && !now.hierarchy() && !plans.nearness().hierarchy()) return;
  plans.renew(std::move(now));
  const std::lock_guard lock(members_mutex);
  for (Member* const member : members) member->forget_plans();
}

void SplitGroups::close() {
  const std::lock_guard lock(mutex_);
  groups_.clear();
}

}  // namespace vnode
