#pragma once

#include <string>

#include "measure/contestant.hpp"

namespace vnode::bench {

/// Node::barrier; `algorithm` empty: the library chooses.
Contestant barrier_vnode(const std::string& algorithm);
/// std::barrier.
Contestant barrier_std(int callers);
/// The barrier of an OpenMP region.
Contestant barrier_openmp();
/// A counter behind a mutex, and a condition variable.
Contestant barrier_naive(int callers);

}  // namespace vnode::bench
