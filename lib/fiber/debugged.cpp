#include "fiber/debugged.hpp"

#include <mutex>
#include <utility>

extern "C" {
/// Points to the newest team's words, by which a debugger begins.
[[gnu::visibility("default"), gnu::used]] constinit void* vnode_debugged_fibers = nullptr;
}

namespace vnode {
namespace {

constinit std::mutex changing;

}  // namespace

DebuggedFibers::DebuggedFibers(Rank first, std::vector<DebuggedFiber> fibers) : fibers_(std::move(fibers)) {
  const std::lock_guard lock(changing);
  words_ = {static_cast<Words*>(vnode_debugged_fibers), static_cast<std::size_t>(first), fibers_.size(),
            fibers_.data()};
  vnode_debugged_fibers = &words_;
}

DebuggedFibers::~DebuggedFibers() {
  const std::lock_guard lock(changing);
  if (vnode_debugged_fibers == &words_) {
    vnode_debugged_fibers = words_.next;
    return;
  }
  auto* newer = static_cast<Words*>(vnode_debugged_fibers);
  while (newer->next != &words_) newer = newer->next;
  newer->next = words_.next;
}

}  // namespace vnode
