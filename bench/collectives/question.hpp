#pragma once

#include <string>

#include <vnode/collective.hpp>

#include "collectives/task.hpp"
#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Ours, in the form that the setting asks for.
Contestant collective_vnode(const SharedTask& task, const Way& way);
/// std::barrier; each takes what it wants, or combines a part of everything; std::barrier.
Contestant collective_std(const SharedTask& task);
/// In an OpenMP region: a worksharing loop over the parts of the vectors, between barriers.
Contestant collective_openmp(const SharedTask& task);
/// The root's address by copyprivate, memcpy, a barrier.
Contestant broadcast_openmp(const SharedTask& task);
/// The array reduction of an OpenMP worksharing loop.
Contestant reduce_openmp(const SharedTask& task);
/// tbb::parallel_for over the vectors.
Contestant collective_tbb(const SharedTask& task);
/// Meets behind a mutex, takes alone whatever it wants, meets again.
Contestant collective_naive(const SharedTask& task);

/// Returns its data, its limits, its check, and nobody who competes.
Question collective_question(const SharedTask& task);

/// What every collective operation on data asks for: that what each brings gets to where its contract says,
/// combined where it says so. `varying`: ours by the v-variant.
Question collective_question(Collective collective, bool varying, const Setting& setting);

}  // namespace vnode::bench
