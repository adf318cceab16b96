#include <fmt/format.h>
#include <set>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/placement.hpp>

namespace vnode {

Mapping given_mapping(const Machine& machine, std::vector<int> pus) {
  const int there = static_cast<int>(machine.pus.size());
  std::set<int> cores;
  for (std::size_t rank = 0; rank < pus.size(); ++rank) {
    const int pu = pus[rank];
    if (pu < 0 || pu >= there)
      throw UsageError(fmt::format("cannot put node {} on PU {}: {} has PUs 0 to {}", rank, pu,
                                   machine.source, there - 1));
    const Pu& place = machine.pus[static_cast<std::size_t>(pu)];
    if (!place.allowed)
      throw SystemError(fmt::format("cannot put node {} on PU {}: the process may use PUs {} only", rank, pu,
                                    number_ranges(machine.allowed_pus())));
    cores.insert(place.core);
  }
  const bool own_core = cores.size() == pus.size();
  return {.pu = std::move(pus), .own_core = own_core, .cores_used = static_cast<int>(cores.size())};
}

}  // namespace vnode
