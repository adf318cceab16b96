#pragma once

#include <cstdint>
#include <vector>

#include <vnode/model/machine.hpp>

/// Returns a machine of up to `most_pus` PUs from a synthetic text, on which some PUs may be disallowed, some
/// second PUs of cores missing, and NUMA nodes at random distances; the same for the same seed.
vnode::Machine random_machine(std::uint64_t seed, int most_pus);

/// Machines as they are found, but not by synthetic texts: a NUMA node without PUs, PUs without a NUMA node,
/// packages of different sizes, holes in the systems' numbers, cores of two kinds, tiles with a fast memory
/// beside the large one, a single core, caches and NUMA nodes across each other, disallowed PUs.
std::vector<vnode::Machine> irregular_machines();
