#if defined(__x86_64__)  // compiled with -march of this generation by lib/CMakeLists.txt
#include "execute/kernels/loops.hpp"

namespace vnode {
constexpr KernelTable avx512_kernels = kernels();
}
#endif
