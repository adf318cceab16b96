#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <vnode/operator.hpp>

namespace vnode {

inline constexpr std::size_t operators = 12;
inline constexpr std::size_t arithmetics = static_cast<std::size_t>(Arithmetic::complex_f64) + 1;  // the last
/// Holds one operator's kernels, by type; nullptr if the type has no such operator.
struct OperatorKernels {
  std::array<Reduction::Combine, arithmetics> combine;
  std::array<Reduction::CombineAll, arithmetics> combine_all;
};
/// Holds the kernels of all operators, by operator.
using KernelTable = std::array<OperatorKernels, operators>;

// These are the same loops, compiled for three generations of processors; the baseline uses what the
// compiler's defaults allow.
extern const KernelTable baseline_kernels;
extern const KernelTable avx2_kernels;
extern const KernelTable avx512_kernels;

/// Holds sums and products of bf16 for processors that have instructions for them besides AVX-512's.
struct Bf16Kernels {
  Reduction::Combine add, multiply;
  Reduction::CombineAll add_all, multiply_all;
};
extern const Bf16Kernels avx512_bf16_kernels;

/// Returns the kernels of each generation that this processor belongs to, the newest last.
std::vector<KernelTable> kernels_here();

}  // namespace vnode
