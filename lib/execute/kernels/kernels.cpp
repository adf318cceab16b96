#include "execute/kernels/table.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace vnode {
namespace {

#if defined(__x86_64__)
/// Returns whether the processor has F16C. It asks by cpuid since not every compiler knows F16C by name.
bool has_f16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

KernelTable with(KernelTable table, const Bf16Kernels& bf16) {
  constexpr auto type = static_cast<std::size_t>(Arithmetic::bf16);
  OperatorKernels& plus = table[static_cast<std::size_t>(StandardOperator::plus)];
  OperatorKernels& multiplies = table[static_cast<std::size_t>(StandardOperator::multiplies)];
  plus.combine[type] = bf16.add;
  plus.combine_all[type] = bf16.add_all;
  multiplies.combine[type] = bf16.multiply;
  multiplies.combine_all[type] = bf16.multiply_all;
  return table;
}
#endif

const OperatorKernels& newest_kernels(StandardOperator op) {
  static const KernelTable newest = kernels_here().back();
  return newest[static_cast<std::size_t>(op)];
}

}

std::vector<KernelTable> kernels_here() {
  std::vector<KernelTable> tables{baseline_kernels};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") &&
      has_f16c())
    tables.push_back(avx2_kernels);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    tables.push_back(avx512_kernels);
    if (__builtin_cpu_supports("avx512bf16")) tables.push_back(with(avx512_kernels, avx512_bf16_kernels));
  }
#endif
  return tables;
}

Reduction standard_kernels(StandardOperator op, Arithmetic type) {
  const OperatorKernels& kernels = newest_kernels(op);
  Reduction made{.combine = kernels.combine[static_cast<std::size_t>(type)]};
  made.parallel = made.combine != nullptr;
  made.combine_all = kernels.combine_all[static_cast<std::size_t>(type)];
  return made;
}

}  // namespace vnode
