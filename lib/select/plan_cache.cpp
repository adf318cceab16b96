#include "select/plan_cache.hpp"

#include <type_traits>
#include <utility>

#include "base/held_by.hpp"

namespace vnode {
namespace {

std::size_t held_by_parts(const std::vector<std::vector<Part>>& parts) {
  std::size_t bytes = held_by(parts);
  for (const std::vector<Part>& rounds : parts) {
    bytes += held_by(rounds);
    for (const Part& part : rounds) bytes += held_by(part.out) + held_by(part.in);
  }
  return bytes;
}

std::uint64_t hash_of(const ByValue<OwnSchedule>& schedule) {
  return schedule ? schedule->content()->hash : 0;
}
std::uint64_t hash_of(const ByValue<Hierarchy>& hierarchy) {
  return hierarchy ? vnode::hash_of(hierarchy->text()) : 0;
}
template <class Number>
requires std::is_integral_v<Number> || std::is_enum_v<Number>
constexpr std::uint64_t hash_of(Number number) { return static_cast<std::uint64_t>(number); }

}  // namespace

std::uint64_t CallKey::hash() const {
  std::uint64_t hash = 0;
  const auto add = [&](const auto&... parts) {
    ((hash = (hash ^ hash_of(parts)) * 0x9e3779b97f4a7c15 + (hash >> 29)), ...);
  };
  // All of them by name, so that none that is added is forgotten.
  const auto& [m, out_m, apart, element, op, called, from_root, by, pieces, of_radix, bytes, alignment, alias,
               varies, in_order, same_bits, together] = numbers();
  add(m, out_m, apart, element, op, called, from_root, by, pieces, of_radix, bytes, alignment, alias, varies,
      in_order, same_bits, together);
  const auto& [by_algorithm, by_schedule, of_hierarchy, by_rank] = request();
  add(by_algorithm, by_schedule, of_hierarchy);
  for (const std::size_t one : by_rank) add(one);
  return hash;
}

KeptKey& KeptKey::operator=(const CallKey& key) {
  key_ = key;
  key_.algorithm = algorithm_ = key.algorithm;
  schedule_ = key.schedule ? std::optional(*key.schedule.at) : std::nullopt;
  if (schedule_) key_.schedule.at = &*schedule_;
  hierarchy_ = key.hierarchy ? *key.hierarchy.at : Hierarchy();
  if (hierarchy_) key_.hierarchy.at = &hierarchy_;
  counts_.assign(key.counts.begin(), key.counts.end());
  key_.counts = counts_;
  key_.element_name = key_.op_name = {};
  return *this;
}

std::size_t bytes_of(const PreparedCall& call) {
  std::size_t bytes = sizeof(call) + call.key->counts.size_bytes();
  if (call.plan) bytes += call.plan->bytes();
  if (call.varying)
    bytes += call.varying->schedule.held_bytes() + held_by(call.varying->contract) +
             held_by_parts(call.varying->parts);
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
    known_[group].emplace(*recent_.front().call->key, recent_.begin());
  } catch (...) {
    recent_.pop_front();
    throw;
  }
  bytes_ += bytes;
  evicted = make_room();
}

void PlanCache::weigh(const void* group, const PreparedCall& call) {
  Recent evicted;  // ends after the lock
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(group);
  if (known == known_.end()) return;
  const auto found = known->second.find(*call.key);
  if (found == known->second.end() || found->second->call.get() != &call) return;
  Entry& entry = *found->second;
  bytes_ -= entry.bytes;
  bytes_ += entry.bytes = bytes_of(call);
  evicted = make_room();
}

/// Removes the oldest calls until the others have room, and returns them; the newest always stays.
PlanCache::Recent PlanCache::make_room() noexcept {
  Recent evicted;
  while (bytes_ > room_ && recent_.size() > 1) {
    const auto oldest = std::prev(recent_.end());
    known_.find(oldest->group)->second.erase(*oldest->call->key);
    oldest->call->evicted.store(true, std::memory_order_relaxed);  // published by (a)
    let_go(*oldest);
    evicted.splice(evicted.begin(), recent_, oldest);
  }
  evictions_.fetch_add(evicted.size(), std::memory_order_release);  // (a) they are marked
  return evicted;
}

void PlanCache::let_go(const Entry& entry) noexcept {
  bytes_ -= entry.bytes;
  gone_[next_gone_++ % gone_.size()] = {entry.call->signature, entry.call->record};
}

void PlanCache::forget(const void* group) noexcept {
  Recent forgotten;  // ends after the lock
  const std::lock_guard lock(mutex_);
  for (auto entry = recent_.begin(); entry != recent_.end();) {
    const auto next = std::next(entry);
    if (entry->group == group) {
      let_go(*entry);
      forgotten.splice(forgotten.begin(), recent_, entry);
    }
    entry = next;
  }
  known_.erase(group);
}

PlanCache::Kind::Kind(const CallKind& seen)
    : algorithm(seen.algorithm), element(seen.element), op(seen.op), kind(seen) {
  kind.algorithm = algorithm;
  kind.element = element;
  kind.op = op;
}

const CallKind* PlanCache::kept(const CallKind& kind) {
  const std::lock_guard lock(mutex_);
  // The elements of an unordered_map do not move.
  return &kinds_.try_emplace(kind.hash, kind).first->second.kind;
}

std::optional<PlannedCall> PlanCache::planned(std::uint32_t signature) const {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : recent_)
    if (const PreparedCall& call = *entry.call; call.signature == signature)
      return PlannedCall{call.record, {call.key->counts.begin(), call.key->counts.end()}};
  for (const Gone& gone : gone_)
    if (gone.record.kind != nullptr && gone.signature == signature) return PlannedCall{gone.record, {}};
  return {};
}

std::size_t PlanCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t PlanCache::calls() const {
  const std::lock_guard lock(mutex_);
  return recent_.size();
}

void RecentCalls::Entry::set(const Arguments& call, const CallKey& unchecked,
                             std::shared_ptr<const PreparedCall> found) {
  key = unchecked;
  plan = std::move(found);
  program = nullptr;
  short_program.reset();
  row = nullptr;
  collective_ = call.collective;
  root_ = call.root;
  shift_ = call.shift;
  op_ = call.op;
  in_count_ = call.in.count;
  out_count_ = call.out.count;
  known_ = call.parts == Arguments::Parts::equal;
  usual_ = call.options == nullptr;
  element_hash_ = call.type->hash;
  operator_hash_ = call.op != nullptr ? call.op->hash : 0;
  in_bytes_ = call.in.count * call.type->bytes;
  out_bytes_ = call.out.count * call.type->bytes;
  distance_ = distance(call.in.data, call.out.data);
  reduction_ = call.op != nullptr ? call.op->reduction(call.op_state) : Reduction{};
}

void RecentCalls::Entry::clear() {
  key = CallKey();
  plan = nullptr;
  program = nullptr;
  short_program.reset();
  row = nullptr;
  known_ = false;
}

}  // namespace vnode
