#include "communicator/nearness.hpp"

#include <vnode/lab/machine_hierarchy.hpp>

namespace vnode {
namespace {

Mapping of_members(const Mapping& mapping, std::span<const Rank> members) {
  Mapping own;
  for (const Rank node : members) own.pu.push_back(mapping.pu[static_cast<std::size_t>(node)]);
  return own;
}

}

Nearness::Nearness(const Machine& machine, const Mapping& mapping, std::span<const Rank> members)
    : machine_(machine),
      mapping_(of_members(mapping, members)),
      hierarchy_(machine_hierarchy(machine, mapping_)) {}

const Hierarchy& Nearness::parsed(const std::string& text) {
  auto found = parsed_.find(text);
  if (found == parsed_.end()) {
    const auto nodes = static_cast<int>(mapping_.pu.size());
    found = parsed_.emplace(text, Hierarchy::parse(text, nodes, named_domains(machine_, mapping_))).first;
  }
  return found->second;
}

const std::vector<CostModel>& Nearness::near_costs(const Hierarchy& hierarchy, const CostModel& costs) {
  constexpr std::size_t capacity = 16;
  for (const auto& [known, near] : near_)
    if (known == hierarchy) return near;
  auto near = vnode::near_costs(guessed_profile(machine_), machine_, mapping_.pu, hierarchy, costs);
  if (near_.size() >= capacity) near_.clear();
  return near_.emplace_back(hierarchy, std::move(near)).second;
}

}
