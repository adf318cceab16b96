#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/asymmetric.hpp"

namespace vnode {

const bool asymmetric_barrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;

void heavy_barrier() noexcept {
  if constexpr (!sanitized_threads) {
    if (asymmetric_barrier)
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    else
      std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

}  // namespace vnode
