#include "simulate/links.hpp"

#include <fmt/format.h>

#include <vnode/error.hpp>

#include "base/counted.hpp"

namespace vnode {

void check_fits(const Schedule& schedule, const Interconnect& interconnect) {
  const int nodes = interconnect.topology.nodes(), machines = interconnect.machines;
  if (nodes != schedule.nodes())
    throw UsageError(fmt::format("a schedule of {} cannot run on {}", counted(schedule.nodes(), "node"),
                                 counted(nodes, "node")));
  if (machines < 1 || nodes % machines != 0)
    throw UsageError(fmt::format("{} nodes cannot be on {} machines, as many on each", nodes, machines));
}

}  // namespace vnode
