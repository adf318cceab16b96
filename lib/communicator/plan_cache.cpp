#include <utility>

#include "communicator/plans.hpp"

namespace vnode {
namespace {

template <class T>
std::size_t held_by(const std::vector<T>& list) {
  return list.capacity() * sizeof(T);
}

std::size_t held_by(const Plan& plan) {
  std::size_t bytes = held_by(plan.programs) + held_by(plan.movements) + held_by(plan.gathers) +
                      held_by(plan.gathered) + held_by(plan.combines) + held_by(plan.operands) +
                      held_by(plan.parts);
  for (const Program& program : plan.programs) bytes += held_by(program.steps);
  return bytes;
}

std::size_t held_by(const Contract& contract) {
  std::size_t bytes = held_by(contract.shares);
  for (const Share& share : contract.shares) bytes += held_by(share.input) + held_by(share.output);
  return bytes;
}

std::size_t held_by(const Schedule& schedule) {
  std::size_t bytes = held_by(schedule.rounds());
  for (const Round& round : schedule.rounds()) bytes += held_by(round);
  return bytes;
}

std::size_t held_by(const std::vector<std::vector<Part>>& parts) {
  std::size_t bytes = parts.capacity() * sizeof(parts.front());
  for (const std::vector<Part>& rounds : parts) {
    bytes += rounds.capacity() * sizeof(Part);
    for (const Part& part : rounds) bytes += held_by(part.out) + held_by(part.in);
  }
  return bytes;
}

}

std::size_t bytes_of(const PreparedCall& call) {
  std::size_t bytes = sizeof(call) + held_by(call.key.counts) + held_by(call.plan);
  if (call.varying)
    bytes += held_by(call.varying->schedule) + held_by(call.varying->contract) + held_by(call.varying->parts);
  return bytes;
}

std::shared_ptr<const PreparedCall> PlanCache::find(const void* group, const CallKey& key) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(group);
  if (known == known_.end()) return nullptr;
  const auto found = known->second.find(key);
  if (found == known->second.end()) return nullptr;
  recent_.splice(recent_.begin(), recent_, found->second);
  return found->second->call;
}

void PlanCache::keep(const void* group, std::shared_ptr<const PreparedCall> call) {
  Recent evicted;  // ends after the lock
  const std::size_t bytes = bytes_of(*call);
  const std::lock_guard lock(mutex_);
  recent_.push_front({group, bytes, std::move(call)});
  try {
    known_[group].emplace(recent_.front().call->key, recent_.begin());
  } catch (...) {
    recent_.pop_front();
    throw;
  }
  bytes_ += bytes;
  while (bytes_ > room_ && recent_.size() > 1) {
    const auto oldest = std::prev(recent_.end());
    known_.find(oldest->group)->second.erase(oldest->call->key);
    oldest->call->evicted.store(true, std::memory_order_relaxed);
    bytes_ -= oldest->bytes;
    evicted.splice(evicted.begin(), recent_, oldest);
  }
  evictions_.fetch_add(evicted.size(), std::memory_order_relaxed);
}

void PlanCache::forget(const void* group) noexcept {
  Recent forgotten;  // ends after the lock
  const std::lock_guard lock(mutex_);
  // Their keys are not looked at: the names in them may have ended with the team.
  for (auto entry = recent_.begin(); entry != recent_.end();) {
    const auto next = std::next(entry);
    if (entry->group == group) {
      bytes_ -= entry->bytes;
      forgotten.splice(forgotten.begin(), recent_, entry);
    }
    entry = next;
  }
  known_.erase(group);
}

std::size_t PlanCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t PlanCache::calls() const {
  const std::lock_guard lock(mutex_);
  return recent_.size();
}

}
