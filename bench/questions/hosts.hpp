#pragma once

#include "timing/contestant.hpp"

namespace vnode::bench {

/// Runs a contestant on p threads of OpenMP's, each bound as the team's node of that rank is. The threads are
/// given back afterwards, so that none of OpenMP's spins beside the team.
extern const Host openmp_host;
/// Runs a contestant on the calling thread, bound as node 0 is, inside a oneTBB arena of p threads, each of
/// which is bound as a node is.
extern const Host tbb_host;

}  // namespace vnode::bench
