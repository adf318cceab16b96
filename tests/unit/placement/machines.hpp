#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <vnode/model/machine.hpp>

/// Machines made by hand, core by core.
class Assembly {
 public:
  explicit Assembly(const std::string& name) {
    machine_.source = name;
    machine_.this_system = false;
  }

  /// A core with so many PUs. Parts are named by index; no l2 or l3: -1.
  Assembly& core(int package, int numa, int l3, int l2, int pus) {
    const int number = static_cast<int>(machine_.cores.size());
    machine_.cores.push_back({.os_index = number, .pus = {}});
    for (int i = 0; i < pus; ++i) {
      const int pu = static_cast<int>(machine_.pus.size());
      vnode::Pu one;
      one.os_index = pu;
      one.core = number;
      one.numa = numa;
      one.package = package;
      machine_.pus.push_back(one);
      machine_.cores.back().pus.push_back(pu);
      member(machine_.packages, package, pu);
      member(machine_.numas, numa, pu);
      if (l3 >= 0) member(l3s_, l3, pu);
      if (l2 >= 0) member(l2s_, l2, pu);
    }
    return *this;
  }
  Assembly& cores(int count, int package, int numa, int l3, int pus) {
    for (int i = 0; i < count; ++i) core(package, numa, l3, -1, pus);
    return *this;
  }

  operator vnode::Machine() const {
    vnode::Machine machine = machine_;
    for (const auto& [level, caches] : {std::pair{2, l2s_}, std::pair{3, l3s_}})
      for (vnode::Cache cache : caches) {
        cache.level = level;
        machine.caches.push_back(cache);
      }
    for (std::size_t i = 0; i < machine.numas.size(); ++i) machine.numas[i].os_index = static_cast<int>(i);
    for (std::size_t i = 0; i < machine.packages.size(); ++i)
      machine.packages[i].os_index = static_cast<int>(i);
    return machine;
  }

 private:
  template <class Kind>
  static void member(std::vector<Kind>& all, int index, int pu) {
    if (static_cast<std::size_t>(index) >= all.size()) all.resize(static_cast<std::size_t>(index) + 1);
    all[static_cast<std::size_t>(index)].pus.push_back(pu);
  }

  vnode::Machine machine_;
  std::vector<vnode::Cache> l2s_, l3s_;
};

/// NUMA nodes in a row, `steps` from each other: row[steps] is their distance.
inline vnode::Machine in_a_row(vnode::Machine machine, const std::vector<std::uint64_t>& row) {
  const std::size_t size = machine.numas.size();
  machine.distances.assign(size, std::vector<std::uint64_t>(size));
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b) machine.distances[a][b] = row.at(a < b ? b - a : a - b);
  return machine;
}
