#pragma once

#include "data/vectors.hpp"
#include "data/work.hpp"
#include "limits/kernels.hpp"

namespace vnode::bench {

/// Does this part of every fold, in segments that stay in the nearest cache: each is combined, and while it
/// is there stored wherever it is wanted.
void fold(const Work& work, Part part, const CombineKernel& kernel);

}  // namespace vnode::bench
