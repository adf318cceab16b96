#pragma once

#include <vnode/lab/simulate.hpp>

namespace vnode {

/// Costs of which sums are exact: a start-up takes 8 s, a byte 1 s.
inline constexpr Hockney exact{8, 1};

/// Simulates a schedule whose blocks have one byte each.
inline Simulation play(const Schedule& schedule, const Interconnect& interconnect,
                       SimulationOptions options = {}) {
  if (options.costs == decltype(options.costs){}) options.costs = exact;
  return simulate(schedule, {static_cast<std::size_t>(schedule.blocks()), schedule.blocks()}, interconnect,
                  options);
}

/// When the message of that number, in the order of the timeline, ends.
inline double end(const Simulation& simulation, std::size_t message) {
  return simulation.timeline.messages.at(message).end;
}

}  // namespace vnode
