#pragma once

#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Returns the question of barriers: vnode's, std::barrier, that of an OpenMP region, and the naive one.
Question barrier_question(const Setting& setting);
/// Returns the naive barrier: a counter behind a mutex, and a condition variable.
Contestant barrier_naive(int callers);

}  // namespace vnode::bench
