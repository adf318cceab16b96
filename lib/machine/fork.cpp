#include "machine/fork.hpp"

#include <new>
#include <pthread.h>

namespace vnode {

void at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) {
  if (pthread_atfork(before, in_parent, in_child) != 0) throw std::bad_alloc();
}

}  // namespace vnode
