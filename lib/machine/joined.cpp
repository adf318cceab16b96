#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine.hpp>

namespace vnode {
namespace {

/// Appends `parts`, whose PUs are numbered from `first_pu` on.
template <class Part>
void append(std::vector<Part>& to, const std::vector<Part>& parts, int first_pu) {
  for (Part part : parts) {
    for (int& pu : part.pus) pu += first_pu;
    to.push_back(std::move(part));
  }
}

/// Returns "2 x this machine" or "a, b": equal neighbours are counted.
std::string joined_sources(std::span<const Machine> machines) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < machines.size(); first = next) {
    const std::string& source = machines[first].source;
    while (next < machines.size() && machines[next].source == source) ++next;
    if (!text.empty()) text += ", ";
    text += next - first > 1 ? fmt::format("{} x {}", next - first, source) : source;
  }
  return text;
}

}  // namespace

Machine joined(std::span<const Machine> machines) {
  if (machines.empty()) throw UsageError("no machines cannot be joined: at least one is needed");
  Machine all;
  all.source = joined_sources(machines);
  all.model = machines.front().model;
  all.this_system = false;
  int number = 0;
  for (const Machine& machine : machines) {
    const auto count = [](const auto& parts) { return static_cast<int>(parts.size()); };
    const int first_pu = count(all.pus), first_kind = count(all.kinds);
    for (Pu pu : machine.pus) {
      pu.core += count(all.cores);
      pu.numa += count(all.numas);
      pu.package += count(all.packages);
      pu.machine = number;
      all.pus.push_back(pu);
    }
    for (Core core : machine.cores) {
      for (int& pu : core.pus) pu += first_pu;
      if (core.kind >= 0) core.kind += first_kind;
      all.cores.push_back(std::move(core));
    }
    append(all.kinds, machine.kinds, first_pu);
    append(all.caches, machine.caches, first_pu);
    append(all.numas, machine.numas, first_pu);
    append(all.packages, machine.packages, first_pu);
    append(all.groups, machine.groups, first_pu);
    ++number;
  }
  std::ranges::stable_sort(all.caches, {}, &Cache::level);
  return all;
}

}  // namespace vnode
