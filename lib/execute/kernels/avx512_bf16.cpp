#if defined(__x86_64__)  // compiled with these instructions by lib/CMakeLists.txt
#include "execute/kernels/loops.hpp"

namespace vnode {
constexpr Bf16Kernels avx512_bf16_kernels{combine_wide<Plus, Bf16>, combine_wide<Multiplies, Bf16>,
                                          combine_wide_lists<Plus, Bf16>,
                                          combine_wide_lists<Multiplies, Bf16>};
}
#endif
