#pragma once

#include <cstddef>
#include <span>

#include <vnode/collective.hpp>
#include <vnode/cost.hpp>
#include <vnode/topology.hpp>

namespace vnode {

/// The cost model that a choice is made by until a machine has been calibrated: t_s is about a cache line's
/// way between two cores of a socket, t_w a core's copying of what another has written. Only their ratio,
/// some KiB, matters.
inline constexpr CostModel typical_costs{150e-9, 0.1e-9};

/// The algorithm of least predicted cost for messages of `bytes` bytes, among those that can run with these
/// parameters and do not congest the links of `topology` if there are any such; the first in the register
/// among equals. The same on all nodes, as it depends on nothing else. Throws UsageError if none can run.
const Algorithm& cheapest(Collective collective, const Parameters& parameters, const Topology& topology,
                          std::size_t bytes, const CostModel& model = typical_costs);

}
