#pragma once

#include "cluster/processes.hpp"
#include "collectives/task.hpp"
#include "questions/setting.hpp"
#include "timing/contestant.hpp"

namespace vnode::bench {

/// Returns the operation as MPI itself carries it out among all processes, by its own collectives, which know
/// nothing of sets. `task` holds the vectors; it is null for operations that have none.
Contestant flat_mpi(const Processes& processes, std::string_view operation, const Setting& setting,
                    const SharedTask& task);

}  // namespace vnode::bench
