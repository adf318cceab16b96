#include "communicator/call_kinds.hpp"

#include <utility>

namespace vnode {

CallKinds::Kept::Kept(const CallKind& seen)
    : algorithm(seen.algorithm), element(seen.element), op(seen.op), kind(seen) {
  kind.algorithm = algorithm;
  kind.element = element;
  kind.op = op;
}

const CallKind* CallKinds::keep(const CallKind& kind) {
  const std::lock_guard lock(mutex_);
  // A map of nodes: what it has does not move.
  return &kept_.try_emplace(kind.hash, kind).first->second.kind;
}

void CallKinds::remember(std::uint32_t signature, PlannedCall call) {
  const std::lock_guard lock(mutex_);
  if (planned_.size() == most_remembered) planned_.clear();
  planned_.insert_or_assign(signature, std::move(call));
}

std::optional<PlannedCall> CallKinds::planned(std::uint32_t signature) const {
  const std::lock_guard lock(mutex_);
  const auto found = planned_.find(signature);
  return found == planned_.end() ? std::nullopt : std::optional(found->second);
}

}
