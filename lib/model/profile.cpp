#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/profile.hpp>

#include "model/pu_places.hpp"

namespace vnode {

std::string_view name(Origin origin) {
  switch (origin) {
    case Origin::given:
      return "given";
    case Origin::typical:
      return "typical";
    case Origin::distances:
      return "hwloc distances";
    case Origin::measured:
      break;
  }
  return "measured";
}

const PairCosts& MachineProfile::costs(PairClass pair_class) const {
  const auto own = static_cast<std::size_t>(pair_class);
  for (std::size_t farther = own; farther < pairs.size(); ++farther)
    if (pairs[farther]) return *pairs[farther];
  for (std::size_t nearer = own; nearer-- > 0;)
    if (pairs[nearer]) return *pairs[nearer];
  throw UsageError(fmt::format("the profile {} has the costs of no class of pairs", name));
}

Hockney pair_costs(const MachineProfile& profile, const Machine& machine, std::span<const int> pus, Rank a,
                   Rank b) {
  const auto pu = [&](Rank rank) {
    if (rank < 0 || static_cast<std::size_t>(rank) >= pus.size())
      throw UsageError(fmt::format("there is no node {}: {} nodes are on PUs", rank, pus.size()));
    return pus[static_cast<std::size_t>(rank)];
  };
  return profile.costs(pair_class(machine, pu(a), pu(b))).hockney();
}

CostModel cost_model(const MachineProfile& profile, const Machine& machine, std::span<const int> pus) {
  if (pus.empty()) throw UsageError("a team without nodes has no costs");
  const std::set<int> used(pus.begin(), pus.end());
  PairClass farthest = pair_class(machine, *used.begin(), *used.rbegin());  // and both are there
  const std::vector<PuPlace> places = pu_places(machine);
  for (const int a : used)
    for (const int b : used)
      farthest = std::max(
          farthest, pair_class(places[static_cast<std::size_t>(a)], places[static_cast<std::size_t>(b)]));
  return profile.costs(farthest).cost_model();
}

}  // namespace vnode
