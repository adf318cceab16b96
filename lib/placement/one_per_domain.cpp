#include <fmt/format.h>
#include <set>

#include <vnode/error.hpp>
#include <vnode/lab/mapping_policy.hpp>

#include "placement/slots.hpp"

namespace vnode {

Mapping one_per_domain_mapping(const Machine& machine, int nodes, DomainLevel level) {
  check_nodes(nodes);
  const std::vector<int> domains = pu_domains(machine, level);
  const std::vector<int> of_each_core = pu_layers(machine).front();
  std::vector<int> pus;
  std::set<int> taken;
  for (const int pu : of_each_core)
    if (taken.insert(domains[static_cast<std::size_t>(pu)]).second) pus.push_back(pu);
  const auto p = static_cast<std::size_t>(nodes);
  if (p > pus.size())
    throw UsageError(fmt::format(
        "cannot put {} nodes one on each {} domain: {} has {}; take as many nodes, or round_robin_{}", nodes,
        name(level), machine.source, pus.size(), name(level)));
  pus.resize(p);
  return mapping_on(machine, std::move(pus));
}

}  // namespace vnode
