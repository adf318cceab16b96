#include "communicator/call_kinds.hpp"

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

}
