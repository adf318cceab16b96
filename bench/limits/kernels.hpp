#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <vnode/operator.hpp>

namespace vnode::bench {

/// A loop that this processor can run, tuned for speed alone.
struct CopyKernel {
  std::string_view name;
  void (*copy)(std::byte* to, const std::byte* from, std::size_t bytes);
};
struct CombineKernel {
  std::string_view name;
  /// into[i] = into[i] op from[i]. The ranges do not overlap.
  void (*combine)(std::byte* into, const std::byte* from, std::size_t bytes);
};

/// The fastest first, as far as one can know without measuring.
std::vector<CopyKernel> copy_kernels();
std::vector<CombineKernel> combine_kernels(Arithmetic datatype, StandardOperator op);

}  // namespace vnode::bench
