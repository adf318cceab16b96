#pragma once

#include <cstddef>
#include <vector>

#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/lab/timeline.hpp>

#include "options/costs.hpp"
#include "options/subject.hpp"

namespace vnode {

/// When which message of the subject is on its way, if m is `bytes`, by the event-driven simulator.
Simulation predicted(const Subject& subject, std::size_t bytes, const CostChoice& costs);

/// How long each directed link carried messages, which are taken to have been on all links of their ways from
/// departure to end. UsageError if the run has other nodes than the topology.
std::vector<LinkUse> measured_link_use(const Timeline& run, const Topology& topology, Routing routing);

}  // namespace vnode
