#include "base/this_thread.hpp"

namespace vnode {

constinit thread_local ThreadId running_fiber = nullptr;

}  // namespace vnode
