#pragma once

#include <functional>

#include <vnode/team.hpp>

#include "measure/contestant.hpp"

namespace vnode::bench {

/// Calls body(seat) on p threads of OpenMP's, each bound as the team's node of that rank is, then gives the
/// threads back, so that nothing of OpenMP's spins beside the team afterwards. Not from inside a run.
void run_openmp(Team& team, const std::function<void(const Seat&)>& body);

}  // namespace vnode::bench
