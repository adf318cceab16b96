#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <vnode/operator.hpp>

#include "data/vectors.hpp"
#include "data/work.hpp"

namespace vnode::bench {

/// Describes a copying loop that this processor can run, tuned for speed alone.
using Copy = void (*)(std::byte* to, const std::byte* from, std::size_t bytes);
struct CopyKernel {
  std::string_view name;
  Copy copy;
};
struct CombineKernel {
  std::string_view name;
  /// Computes to[i] = left[i] op right[i]. `to` may be one of the others; otherwise they do not overlap.
  void (*combine)(std::byte* to, const std::byte* left, const std::byte* right, std::size_t bytes);
  /// Stores a result that is in the nearest cache; if null, the result is combined where it belongs.
  Copy store = nullptr;
};

/// Both return the fastest first, as far as one can know without measuring.
const std::vector<CopyKernel>& copy_kernels();
std::vector<CombineKernel> combine_kernels(Arithmetic datatype, StandardOperator op);
/// Returns the library's own kernel, which no loop by hand has surpassed for floats of 16 bits and complex
/// numbers.
CombineKernel vnode_kernel(Arithmetic datatype, StandardOperator op);

/// Carries out this part of every fold, in segments that stay in the nearest cache: each segment is combined,
/// and is stored wherever it is wanted while it is still in that cache.
void fold(const Work& work, Part part, const CombineKernel& kernel);

}  // namespace vnode::bench
