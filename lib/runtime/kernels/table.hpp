#pragma once

#include <array>
#include <cstddef>

#include <vnode/operator.hpp>

namespace vnode {

inline constexpr std::size_t operators = 9, arithmetics = 10;
/// By operator, then by type; nullptr where the type has no such operator.
using KernelTable = std::array<std::array<Reduction::Combine, arithmetics>, operators>;

// The same loops, compiled for three generations of processors; the baseline is what the compiler's defaults
// allow.
extern const KernelTable baseline_kernels;
extern const KernelTable avx2_kernels;
extern const KernelTable avx512_kernels;

}  // namespace vnode
