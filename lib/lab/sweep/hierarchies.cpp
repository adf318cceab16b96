#include "sweep/hierarchies.hpp"

#include <algorithm>
#include <array>
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
    for (int inner = 2; inner < size; ++inner) {
      // Of the least and the greatest size inside where nodes are many.
      if (size % inner != 0 || (nodes > 16 && inner > 2 && 2 * inner != size)) continue;
      all.push_back({consecutive, divided(nodes, [=](Rank rank) { return rank / inner; })});
      for (int innermost = 1; innermost < inner; ++innermost)
        if (inner % innermost == 0 && (nodes <= 16 || (2 * size == nodes && 2 * innermost == inner)))
          all.push_back({consecutive, divided(nodes, [=](Rank rank) { return rank / inner; }),
                         divided(nodes, [=](Rank rank) { return rank / innermost; })});
    }
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
  if (nodes < 8) return all;
  // Three levels: of unequal domains, and round robin.
  const auto halves = [=](int size, int upper_size) {
    const int upper = nodes / 2 + 1;  // the first of the upper half
    return divided(
        nodes, [=](Rank rank) { return rank < upper ? rank / size : upper + (rank - upper) / upper_size; });
  };
  all.push_back({halves(nodes, nodes), halves(4, nodes), halves(2, 3)});
  if (nodes % 8 == 0)
    all.push_back({divided(nodes, [](Rank rank) { return rank % 2; }),
                   divided(nodes, [](Rank rank) { return rank % 4; }),
                   divided(nodes, [](Rank rank) { return rank % 8; })});
  return all;
}

}  // namespace

std::vector<Hierarchy> hierarchies(int nodes) {
  using Names = std::pair<const char*, const char*>;
  static constexpr Names usual{"", ""};
  static constexpr std::array others{Names{"direct", ""},
                                     Names{"linear", "linear"},
                                     Names{"pipeline", "pipeline"},
                                     Names{"splitting_ring", "binomial"},
                                     Names{"linear+ring", "rabenseifner"},
                                     Names{"ring", "ring"}};
  // Not all are good for all collectives. With few nodes all, with more one for each shape in turn, with many
  // nodes the usual ones alone.
  const auto names_of = [=](std::size_t shape) {
    std::vector<Names> some{usual};
    if (nodes <= 6)
      some.insert(some.end(), others.begin(), others.end());
    else if (nodes <= 24 || nodes % 16 == 0)
      some.push_back(others[(shape + static_cast<std::size_t>(nodes)) % others.size()]);
    return some;
  };
  std::vector<Hierarchy> all;
  const std::vector<std::vector<Domains>> shapes = levels_of(nodes);
  for (std::size_t shape = 0; shape < shapes.size(); ++shape)
    for (const HierarchyForm form : {HierarchyForm::leaders, HierarchyForm::slices})
      for (const auto& [inner, outer] : names_of(shape))
        all.emplace_back(shapes[shape], Hierarchy::Ways{inner, outer, form});
  return all;
}

}  // namespace vnode
