#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/placement.hpp>

namespace vnode {
namespace {

/// The allowed PUs, the first of every core before the second of any.
std::vector<int> cores_first(const Machine& machine) {
  std::vector<std::pair<int, int>> order;  // place within its core, PU
  for (const Core& core : machine.cores) {
    int place = 0;
    for (const int pu : core.pus)
      if (machine.pus[static_cast<std::size_t>(pu)].allowed) order.emplace_back(place++, pu);
  }
  std::ranges::sort(order);
  std::vector<int> pus;
  for (const auto& [place, pu] : order) pus.push_back(pu);
  return pus;
}

}  // namespace

Mapping compact_mapping(const Machine& machine, int nodes) {
  if (nodes < 1) throw UsageError(fmt::format("cannot map {} nodes: at least 1 is needed", nodes));
  const std::vector<int> order = cores_first(machine);
  const int pus = static_cast<int>(order.size());
  if (pus == 0) throw UsageError("cannot map nodes to a machine without an allowed PU");

  std::vector<int> load(machine.pus.size());  // nodes per PU
  for (int i = 0; i < pus; ++i)
    load[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] =
        nodes / pus + (i < nodes % pus ? 1 : 0);

  const int cores = machine.allowed_cores();
  Mapping mapping{.pu = {}, .own_core = nodes <= cores, .cores_used = std::min(nodes, cores)};
  for (std::size_t pu = 0; pu < load.size(); ++pu)
    mapping.pu.insert(mapping.pu.end(), static_cast<std::size_t>(load[pu]), static_cast<int>(pu));
  return mapping;
}

}  // namespace vnode
