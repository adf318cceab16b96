#include "select/nearness.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include <vnode/model/machine_hierarchy.hpp>

#include "base/at.hpp"
#include "cluster/cluster_layout.hpp"

namespace vnode {
namespace {

Mapping of_members(const Mapping& mapping, std::span<const Rank> members) {
  Mapping own;
  for (const Rank node : members) own.pu.push_back(mapping.pu[static_cast<std::size_t>(node)]);
  return own;
}

/// Returns the process of each node, by rank; null if all are in one.
std::shared_ptr<const std::vector<int>> processes_of(const ClusterLayout* outside,
                                                     std::span<const Rank> members) {
  if (outside == nullptr) return nullptr;
  auto list = std::make_shared<std::vector<int>>();
  for (const Rank node : members) list->push_back(outside->processes().of(node));
  return std::ranges::adjacent_find(*list, std::ranges::not_equal_to()) != list->end() ? list : nullptr;
}

/// Returns the nodes of each process, or carrier, of which `of` has that of each node, by rank.
Hierarchy::Domains domains_by(std::span<const int> of) {
  std::map<int, std::vector<Rank>> domains;
  for (Rank rank = 0; const int one : of) domains[one].push_back(rank++);
  Hierarchy::Domains list;
  for (auto& [one, ranks] : domains) list.push_back(std::move(ranks));
  std::ranges::sort(list);
  return list;
}

/// Returns a guess of the costs of a message that MPI carries through the memory of one machine.
CostModel carried_by_mpi(CostModel costs) {
  costs.t_s = 1.5e-6;
  costs.t_w = costs.t_put = 0.3e-9;
  return costs;
}

double turns_on(const Mapping& mapping) {
  const std::set<int> used(mapping.pu.begin(), mapping.pu.end());
  return static_cast<double>(mapping.pu.size()) / static_cast<double>(used.size());
}

}

Nearness::Nearness(const Machine& machine, const Mapping& mapping, std::span<const Rank> members,
                   const ClusterLayout* outside, std::vector<int> carriers)
    : machine_(&machine),
      outside_(outside),
      processes_(processes_of(outside, members)),
      carriers_(std::move(carriers)),
      mapping_(of_members(mapping, members)),
      nodes_per_pu_(outside != nullptr ? outside->nodes_per_pu(members) : turns_on(mapping_)),
      hierarchy_(machine_hierarchy(machine, mapping_,
                                   processes_ != nullptr ? domains_by(*processes_) : Hierarchy::Domains(),
                                   domains_by(carriers_))) {}

const Hierarchy& Nearness::parsed(const std::string& text) {
  auto found = parsed_.find(text);
  if (found == parsed_.end()) {
    const auto nodes = static_cast<int>(mapping_.pu.size());
    const auto named = [&](std::string_view name) {
      if (name == "process" && processes_ != nullptr) return domains_by(*processes_);
      if (name == "carrier" && !carriers_.empty()) return domains_by(carriers_);
      return named_domains(*machine_, mapping_)(name);
    };
    found = parsed_.emplace(text, Hierarchy::parse(text, nodes, named)).first;
  }
  return found->second;
}

const MachineProfile& Nearness::profile() {
  if (!profile_) {
    profile_ = guessed_profile(*machine_);
    if (outside_ != nullptr) at(profile_->pairs, PairClass::across_machines) = outside_->network();
  }
  return *profile_;
}

const Pu& Nearness::pu_of(Rank rank) const { return at(machine_->pus, at(mapping_.pu, rank)); }

bool Nearness::between_processes(Rank a, Rank b) const {
  return at(*processes_, a) != at(*processes_, b) && pu_of(a).machine == pu_of(b).machine;
}

CostModel Nearness::farthest_costs(CostModel costs) {
  if (machine_->machines() > 1) costs = vnode::farthest_costs(profile(), *machine_, mapping_.pu, costs);
  return processes_ != nullptr && !costs.shared_link ? carried_by_mpi(costs) : costs;
}

const std::vector<CostModel>& Nearness::near_costs(const Hierarchy& hierarchy, const CostModel& costs) {
  constexpr std::size_t capacity = 16;
  for (const auto& [known, near] : near_)
    if (known == hierarchy) return near;
  auto near = vnode::near_costs(profile(), *machine_, mapping_.pu, hierarchy, costs);
  if (processes_ != nullptr && hierarchy) {
    const auto levels = static_cast<std::size_t>(hierarchy.levels());
    if (near.empty()) near.assign(levels, vnode::farthest_costs(profile(), *machine_, mapping_.pu, costs));
    for (Rank a = 0; a < hierarchy.nodes(); ++a)
      for (Rank b = 0; b < a; ++b)
        if (const int apart = hierarchy.apart(a, b); apart < hierarchy.levels() && between_processes(a, b))
          if (CostModel& level = at(near, apart); !level.shared_link) level = carried_by_mpi(level);
  }
  // Nodes of a carrier wait for turns only, and their lines are in the caches of its core.
  if (!carriers_.empty() && hierarchy && hierarchy.domains(hierarchy.levels() - 1) == domains_by(carriers_)) {
    if (near.empty()) near.assign(static_cast<std::size_t>(hierarchy.levels()), costs);
    near.front().t_s = 0;
    near.front().o = costs.o / 8;
  }
  if (near_.size() >= capacity) near_.clear();
  return near_.emplace_back(hierarchy, std::move(near)).second;
}

}  // namespace vnode
