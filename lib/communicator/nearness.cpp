#include "communicator/nearness.hpp"

#include <vnode/machine_hierarchy.hpp>

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

Hierarchy Nearness::parsed(std::string_view text) const {
  return Hierarchy::parse(text, static_cast<int>(mapping_.pu.size()), named_domains(machine_, mapping_));
}

std::vector<CostModel> Nearness::near_costs(const Hierarchy& hierarchy, const CostModel& costs) const {
  return vnode::near_costs(guessed_profile(machine_), machine_, mapping_.pu, hierarchy, costs);
}

}
