#include "simulate/links.hpp"

#include <fmt/format.h>

#include <vnode/error.hpp>

namespace vnode {

void check_machines(const Interconnect& interconnect) {
  const int nodes = interconnect.topology.nodes(), machines = interconnect.machines;
  if (machines < 1 || nodes % machines != 0)
    throw UsageError(fmt::format("{} nodes cannot be on {} machines, as many on each", nodes, machines));
}

}  // namespace vnode
