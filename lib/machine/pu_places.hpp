#pragma once

#include <vector>

#include <vnode/model/machine.hpp>

#include "base/at.hpp"

namespace vnode {

/// Says which part of each kind a PU belongs to, as indices into the machine's parts; -1: it has no such
/// cache.
struct PuPlace {
  int core = 0, l2 = -1, l3 = -1, numa = 0, package = 0, machine = 0;
};

/// Returns the places by PU. O(PUs + the PUs of all caches).
inline std::vector<PuPlace> pu_places(const Machine& machine) {
  std::vector<PuPlace> places;
  for (const Pu& pu : machine.pus)
    places.push_back({.core = pu.core, .numa = pu.numa, .package = pu.package, .machine = pu.machine});
  for (int i = 0; i < static_cast<int>(machine.caches.size()); ++i) {
    const Cache& cache = at(machine.caches, i);
    for (const int pu : cache.pus) {
      if (cache.level == 2) at(places, pu).l2 = i;
      if (cache.level == 3) at(places, pu).l3 = i;
    }
  }
  return places;
}

}  // namespace vnode
