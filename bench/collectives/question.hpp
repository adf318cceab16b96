#pragma once

#include <string>

#include <vnode/collective.hpp>

#include "collectives/task.hpp"
#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Returns vnode's contestant, in the form that the setting asks for.
Contestant collective_vnode(const SharedTask& task, const Way& way);
/// Returns the contestant of the standard library: between two std::barriers each caller copies what it
/// wants, or combines its part of everything.
Contestant collective_std(const SharedTask& task);
/// Returns a contestant that runs in an OpenMP region, as a worksharing loop over the parts of the vectors
/// between barriers.
Contestant collective_openmp(const SharedTask& task);
/// Returns OpenMP's broadcast: copyprivate hands out the root's address, each thread copies by memcpy, and a
/// barrier ends the call.
Contestant broadcast_openmp(const SharedTask& task);
/// Returns OpenMP's reduce, which is the array reduction of a worksharing loop.
Contestant reduce_openmp(const SharedTask& task);
/// Returns oneTBB's contestant, which runs tbb::parallel_for over the vectors.
Contestant collective_tbb(const SharedTask& task);
/// Returns the naive contestant: callers meet at barrier_naive(), each takes alone whatever it wants, and
/// they meet again.
Contestant collective_naive(const SharedTask& task);

/// Returns a question with the task's data, limits and check, but without contestants.
Question collective_question(const SharedTask& task);

/// Returns the question of a collective operation on data: whether what each node brings gets to where the
/// contract says, combined where it says so. If `varying`, vnode's contestants call the v-variant.
Question collective_question(Collective collective, bool varying, const Setting& setting);

}  // namespace vnode::bench
