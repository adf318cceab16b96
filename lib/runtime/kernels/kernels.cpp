#include "runtime/kernels/table.hpp"

namespace vnode {
namespace {

const KernelTable& best_kernels() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return avx512_kernels;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return avx2_kernels;
#endif
  return baseline_kernels;
}

}

Reduction::Combine standard_kernel(StandardOperator op, Arithmetic type) {
  static const KernelTable& table = best_kernels();
  return table[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
}

}  // namespace vnode
