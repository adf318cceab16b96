#pragma once

#include <cstddef>
#include <memory>

#include <vnode/model/machine.hpp>
#include <vnode/team.hpp>

#include "options/options.hpp"
#include "questions/register.hpp"

namespace vnode::bench {

/// Returns how many nodes the options mean: --nodes, else those of --schedule, else what the topology's
/// extents say, else max(2, min(cores, 64)), or with --arenas domains instead of cores.
int nodes_of(const Options& options, const Machine& machine);
/// Makes a fully connected team of that many nodes for limits and targets, whatever --topology, --nodes,
/// --nodes-as, --mapping, --banks, --arenas and --deterministic say.
std::unique_ptr<Team> team_of(const Options& options, int nodes);
/// Makes a team as the options describe it, on this machine.
std::unique_ptr<Team> team_for(const Options& options, int nodes, const Machine& machine);

/// Returns the largest m for which the vectors of all nodes together take no more than half of this machine's
/// memory.
std::size_t most_bytes(const Operation& operation, const Setting& setting);
/// Throws UsageError, which says what would fit, if the largest size that the options ask for does not fit
/// for every collective. Serves measurements of all collectives.
void check_room(const Options& options, int nodes);

/// Throws UsageError, which says what would fit, if what the nodes walk between calls takes more than half of
/// this machine's memory.
void check_walks(const Options& options, int nodes);

}  // namespace vnode::bench
