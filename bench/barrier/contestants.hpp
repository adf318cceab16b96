#pragma once

#include <string>

#include "measure/contestant.hpp"
#include "questions/setting.hpp"

namespace vnode::bench {

/// Ours.
Contestant barrier_vnode(Form form, int callers, const Way& way);
/// std::barrier.
Contestant barrier_std(int callers);
/// The barrier of an OpenMP region.
Contestant barrier_openmp();
/// A counter behind a mutex, and a condition variable.
Contestant barrier_naive(int callers);

}  // namespace vnode::bench
