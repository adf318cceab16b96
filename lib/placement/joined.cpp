#include <fmt/format.h>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/placement.hpp>

#include "base/at.hpp"
#include "placement/slots.hpp"

namespace vnode {

Mapping joined(std::span<const Machine> machines, std::span<const ProcessNodes> processes) {
  std::vector<int> first_pus{0};
  for (const Machine& machine : machines)
    first_pus.push_back(first_pus.back() + static_cast<int>(machine.pus.size()));
  std::vector<int> pus;
  for (const auto& [machine, mapping] : processes) {
    if (machine < 0 || machine >= static_cast<int>(machines.size()))
      throw UsageError(fmt::format("a process cannot run on machine {}: there are {}, from 0 on", machine,
                                   machines.size()));
    const int there = at(first_pus, machine + 1) - at(first_pus, machine);
    for (const int pu : mapping.pu) {
      if (pu < 0 || pu >= there)
        throw UsageError(
            fmt::format("a node cannot run on PU {} of machine {}: it has {}", pu, machine, there));
      pus.push_back(at(first_pus, machine) + pu);
    }
  }
  return mapping_on(joined(machines), std::move(pus));
}

}  // namespace vnode
