#include "execute/kernels/loops.hpp"

namespace vnode {
constexpr KernelTable baseline_kernels = kernels();
}
