#include "base/while_waiting.hpp"

#include <utility>

#include <vnode/while_waiting.hpp>

namespace vnode {
namespace {

/// The newest hook of this thread. A hook belongs to a thread, not to a node.
thread_local WhileWaiting* newest = nullptr;

}  // namespace

WhileWaiting::WhileWaiting(std::function<void()> look) : look_(std::move(look)), before_(newest) {
  newest = this;
}

WhileWaiting::~WhileWaiting() { newest = before_; }

bool looks_while_waiting() noexcept { return newest != nullptr; }

WhileWaiting*& newest_while_waiting() noexcept { return newest; }

void look_while_waiting() {
  WhileWaiting* const own = newest;
  if (own == nullptr) return;
  const struct Again {
    ~Again() { newest = is; }
    WhileWaiting* is;
  } again{own};
  newest = own->before_;  // for what the look itself waits for
  own->look_();
}

}  // namespace vnode
