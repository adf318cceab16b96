#if defined(__x86_64__)  // compiled with -march of this generation by lib/CMakeLists.txt
#include "runtime/kernels/loops.hpp"

namespace vnode {
constexpr KernelTable avx512_kernels = kernels();
}
#endif
