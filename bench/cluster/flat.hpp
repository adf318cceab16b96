#pragma once

#include "cluster/processes.hpp"
#include "collectives/task.hpp"
#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Returns the operation by MPI itself, among all processes: its own collectives, which know nothing of sets.
/// `task` has the vectors, and is null where there are none.
Contestant flat_mpi(const Processes& processes, std::string_view operation, const Setting& setting,
                    const SharedTask& task);

}  // namespace vnode::bench
