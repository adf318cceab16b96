#include "measure/affinity.hpp"

#include <algorithm>
#include <set>

namespace vnode::bench {

Affinity allowed_affinity(const Machine& machine) {
  Affinity pus;
  for (const Pu& pu : machine.pus)
    if (pu.allowed) pus.push_back(pu.os_index);
  return pus;
}

std::vector<Affinity> affinities(Team& team) {
  std::vector<Affinity> of(static_cast<std::size_t>(team.size()));
  team.run([&](Node& me) { of[static_cast<std::size_t>(me.rank())] = affinity(); });
  return of;
}

int cores_of(const Machine& machine, const std::vector<Affinity>& threads) {
  std::set<int> cores;
  for (const Pu& pu : machine.pus)
    for (const Affinity& pus : threads)
      if (std::ranges::binary_search(pus, pu.os_index)) cores.insert(pu.core);
  return static_cast<int>(cores.size());
}

bool core_each(Team& team, const Machine& machine) {
  return team.size() <= cores_of(machine, affinities(team));
}

}  // namespace vnode::bench
