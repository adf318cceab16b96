#include "communicator/context_numbers.hpp"

#include <vnode/error.hpp>

#include "runtime/context.hpp"

namespace vnode {

ContextNumber ContextNumbers::take() {
  const std::lock_guard lock(pool_->mutex);
  if (pool_->uses.empty()) pool_->uses.emplace_back();  // number 0 is that of all nodes
  if (pool_->free.empty()) {
    if (pool_->uses.size() >= Context::messages)
      throw SystemError("a team can have 32767 groups at a time, and all of them are in use");
    pool_->free.reserve(pool_->uses.size() + 1);  // so that giving back cannot fail
    pool_->uses.emplace_back();
    pool_->free.push_back(static_cast<std::uint16_t>(pool_->uses.size() - 1));
  }
  const std::uint16_t id = pool_->free.back();
  pool_->free.pop_back();
  Use& use = pool_->uses[id];
  return {pool_, id, use.groups++, use.last_call};
}

ContextNumber::~ContextNumber() {
  if (pool_ == nullptr) return;
  const std::lock_guard lock(pool_->mutex);
  pool_->uses[id_].last_call = last_call_;
  pool_->free.push_back(id_);
}

}
