#include "placement/parts.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

namespace vnode {
namespace {

/// By PU, which part of one kind it belongs to. What no part of the kind has is one of its own in each part
/// around it.
using Kind = std::vector<int>;

int largest(const Kind& kind) {
  std::map<int, int> sizes;
  int most = 0;
  for (const int part : kind) most = std::max(most, ++sizes[part]);
  return most;
}

std::array<Kind, 5> kinds_of(const Machine& machine) {
  std::array<Kind, 5> kinds;
  auto& [packages, numas, l3s, l2s, cores] = kinds;
  for (const Pu& pu : machine.pus) {
    packages.push_back(pu.package);
    numas.push_back(pu.numa);
    cores.push_back(pu.core);
  }
  l3s.assign(machine.pus.size(), -1);
  l2s = l3s;
  for (std::size_t i = 0; i < machine.caches.size(); ++i) {
    const Cache& cache = machine.caches[i];
    if (cache.level != 2 && cache.level != 3) continue;
    for (const int pu : cache.pus)
      (cache.level == 2 ? l2s : l3s)[static_cast<std::size_t>(pu)] = static_cast<int>(i);
  }
  const auto caches = static_cast<int>(machine.caches.size());
  std::map<std::pair<int, int>, int> around;  // by NUMA node and package: the number of what has no L3
  for (std::size_t pu = 0; pu < l3s.size(); ++pu) {
    if (l3s[pu] < 0)
      l3s[pu] = around.emplace(std::pair(numas[pu], packages[pu]), caches + static_cast<int>(around.size()))
                    .first->second;
    if (l2s[pu] < 0) l2s[pu] = caches + l3s[pu];
  }
  std::ranges::stable_sort(kinds, std::greater(), largest);
  return kinds;
}

PuPart divide(const std::vector<int>& pus, const std::array<Kind, 5>& kinds, std::size_t level) {
  for (; level < kinds.size(); ++level) {
    std::map<int, std::size_t> places;
    std::vector<std::vector<int>> groups;
    for (const int pu : pus) {
      const int key = kinds[level][static_cast<std::size_t>(pu)];
      const auto [place, is_new] = places.emplace(key, groups.size());
      if (is_new) groups.emplace_back();
      groups[place->second].push_back(pu);
    }
    if (groups.size() < 2) continue;
    PuPart part;
    for (const std::vector<int>& group : groups) {
      part.parts.push_back(divide(group, kinds, level + 1));
      const std::vector<int>& inner = part.parts.back().pus;
      part.pus.insert(part.pus.end(), inner.begin(), inner.end());
    }
    return part;
  }
  return {.pus = pus};
}

}  // namespace

PuPart divided(const Machine& machine, const std::vector<int>& pus) {
  return divide(pus, kinds_of(machine), 0);
}

}  // namespace vnode
