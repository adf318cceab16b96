#pragma once

#include <vector>

#include <vnode/team.hpp>

namespace vnode::bench {

/// The PUs a thread may run on, by the operating system's numbers, ascending. Empty where the system does not
/// tell.
using Affinity = std::vector<int>;

/// The calling thread's.
Affinity affinity();
/// Of the calling thread. Does nothing with an empty one, nor where the system refuses.
void set_affinity(const Affinity& pus);
/// Those of a team's nodes, by rank.
std::vector<Affinity> affinities(Team& team);

}  // namespace vnode::bench
