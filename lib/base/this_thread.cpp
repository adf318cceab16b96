#include "base/this_thread.hpp"

namespace vnode {

constinit thread_local ThreadId running_fiber = nullptr;
constinit thread_local RunningNode* running_node = nullptr;

}  // namespace vnode
