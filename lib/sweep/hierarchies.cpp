#include "sweep/hierarchies.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace vnode {

namespace {

using Domains = Hierarchy::Domains;

// domain(rank) for every rank; numbers that nobody has are no domains.
template <class Domain>
Domains divided(int nodes, const Domain& domain) {
  Domains domains(static_cast<std::size_t>(nodes));
  for (Rank rank = 0; rank < nodes; ++rank) domains[static_cast<std::size_t>(domain(rank))].push_back(rank);
  std::erase_if(domains, [](const std::vector<Rank>& ranks) { return ranks.empty(); });
  return domains;
}

std::vector<std::vector<Domains>> levels_of(int nodes) {
  std::vector<std::vector<Domains>> all;
  for (int size = 1; size <= nodes; ++size) {
    const Domains consecutive = divided(nodes, [=](Rank rank) { return rank / size; });
    if (nodes % size != 0) {
      // The last is smaller: of all sizes where nodes are few, of some where they are many.
      if (nodes <= 12 || size == 3 || size == nodes / 2 + 1) all.push_back({consecutive});
      continue;
    }
    all.push_back({consecutive});
    if (size == 1 || size == nodes) continue;
    all.push_back({divided(nodes, [=](Rank rank) { return rank % (nodes / size); })});
    for (int inner = 2; inner < size; ++inner)
      if (size % inner == 0 && (nodes <= 16 || inner == 2))
        all.push_back({consecutive, divided(nodes, [=](Rank rank) { return rank / inner; })});
  }
  if (nodes < 4) return all;
  // One, then two, then three ...; the first alone; the ends together; two levels of unequal domains.
  const auto growing = [](Rank rank) {
    int domain = 0;
    for (int first = 0; first + domain < rank; ++domain) first += domain + 1;
    return domain;
  };
  all.push_back({divided(nodes, growing)});
  all.push_back({divided(nodes, [](Rank rank) { return rank > 0; })});
  all.push_back({divided(nodes, [=](Rank rank) { return rank > 0 && rank < nodes - 1; })});
  all.push_back({divided(nodes, [=](Rank rank) { return rank > nodes / 2; }),
                 divided(nodes, [=](Rank rank) { return rank > nodes / 2 ? nodes / 2 + 1 : rank / 2; })});
  return all;
}

}  // namespace

std::vector<Hierarchy> hierarchies(int nodes) {
  using Names = std::pair<const char*, const char*>;
  // Not all are good for all collectives. With many nodes the usual ones alone.
  static constexpr std::array names{Names{"", ""},
                                    Names{"direct", ""},
                                    Names{"linear", "linear"},
                                    Names{"pipeline", "pipeline"},
                                    Names{"splitting_ring", "binomial"},
                                    Names{"linear+ring", "rabenseifner"},
                                    Names{"ring", "ring"}};
  std::vector<Hierarchy> all;
  for (const std::vector<Domains>& levels : levels_of(nodes))
    for (const HierarchyForm form : {HierarchyForm::leaders, HierarchyForm::slices})
      for (const auto& [inner, outer] : std::span(names).first(nodes <= 6 ? names.size() : 1))
        all.emplace_back(levels, Hierarchy::Ways{inner, outer, form});
  return all;
}

}  // namespace vnode
