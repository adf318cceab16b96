#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/model/placement.hpp>

#include "base/at.hpp"
#include "placement/slots.hpp"

namespace vnode {

Mapping compact_mapping(const Machine& machine, int nodes) {
  return mapping_on(machine, compact_slots(machine, nodes));
}

Mapping given_mapping(const Machine& machine, std::vector<int> pus) {
  const int there = static_cast<int>(machine.pus.size());
  for (std::size_t rank = 0; rank < pus.size(); ++rank) {
    const int pu = pus[rank];
    if (pu < 0 || pu >= there)
      throw UsageError(fmt::format("cannot put node {} on PU {}: {} has PUs 0 to {}", rank, pu,
                                   machine.source, there - 1));
    if (!at(machine.pus, pu).allowed)
      throw SystemError(fmt::format("cannot put node {} on PU {}: the process may use PUs {} only", rank, pu,
                                    number_ranges(machine.allowed_pus())));
  }
  return mapping_on(machine, std::move(pus));
}

Mapping one_per_domain_mapping(const Machine& machine, int nodes, DomainLevel level) {
  check_nodes(nodes);
  const std::vector<int> domains = pu_domains(machine, level);
  const std::vector<int> of_each_core = pu_layers(machine).front();
  std::vector<int> pus;
  std::set<int> taken;
  for (const int pu : of_each_core)
    if (taken.insert(at(domains, pu)).second) pus.push_back(pu);
  const auto p = static_cast<std::size_t>(nodes);
  if (p > pus.size())
    throw UsageError(fmt::format(
        "cannot put {} nodes one on each {} domain: {} has {}; take as many nodes, or round_robin_{}", nodes,
        enums::name(level), machine.source, pus.size(), enums::name(level)));
  pus.resize(p);
  return mapping_on(machine, std::move(pus));
}

namespace {

/// Takes one PU of each domain in turn, until there is none.
std::vector<int> dealt(const std::vector<int>& pus, const std::vector<int>& domains) {
  std::vector<std::vector<int>> by_domain;
  for (const int pu : pus) {
    const auto domain = static_cast<std::size_t>(at(domains, pu));
    if (domain >= by_domain.size()) by_domain.resize(domain + 1);
    by_domain[domain].push_back(pu);
  }
  std::vector<int> order;
  for (std::size_t turn = 0; order.size() < pus.size(); ++turn)
    for (const std::vector<int>& domain : by_domain)
      if (turn < domain.size()) order.push_back(domain[turn]);
  return order;
}

/// Appends `count` of the part's PUs to `chosen`: to each of its parts in proportion to its PUs.
void spread(const PuPart& part, std::size_t count, std::vector<int>& chosen) {
  if (part.parts.empty() || count < 2) {
    chosen.insert(chosen.end(), part.pus.begin(), part.pus.begin() + static_cast<std::ptrdiff_t>(count));
    return;
  }
  const std::size_t all = part.pus.size();
  std::size_t before = 0, given = 0;
  for (const PuPart& inner : part.parts) {
    before += inner.pus.size();
    const std::size_t so_far = (before * count + all - 1) / all;
    spread(inner, so_far - given, chosen);
    given = so_far;
  }
}

}  // namespace

Mapping round_robin_mapping(const Machine& machine, int nodes, DomainLevel level) {
  check_nodes(nodes);
  const auto p = static_cast<std::size_t>(nodes);
  const std::vector<int> domains = pu_domains(machine, level);
  const std::vector<std::vector<int>> layers = pu_layers(machine);
  std::vector<int> pus;
  for (std::size_t layer = 0; pus.size() < p; layer = (layer + 1) % layers.size()) {
    const std::vector<int> order = dealt(layers[layer], domains);
    pus.insert(pus.end(), order.begin(), order.end());
  }
  pus.resize(p);
  return mapping_on(machine, std::move(pus));
}

Mapping scatter_mapping(const Machine& machine, int nodes) {
  Slots some = slots(machine, nodes);
  spread(divided(machine, some.open), static_cast<std::size_t>(some.take), some.certain);
  std::ranges::sort(some.certain);
  return mapping_on(machine, some.certain);
}

}  // namespace vnode
