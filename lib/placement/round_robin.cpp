#include <algorithm>

#include <vnode/lab/mapping_policy.hpp>

#include "placement/slots.hpp"

namespace vnode {
namespace {

/// One PU of each domain in turn, until there is none.
std::vector<int> dealt(const std::vector<int>& pus, const std::vector<int>& domains) {
  std::vector<std::vector<int>> by_domain;
  for (const int pu : pus) {
    const auto domain = static_cast<std::size_t>(domains[static_cast<std::size_t>(pu)]);
    if (domain >= by_domain.size()) by_domain.resize(domain + 1);
    by_domain[domain].push_back(pu);
  }
  std::vector<int> order;
  for (std::size_t turn = 0; order.size() < pus.size(); ++turn)
    for (const std::vector<int>& domain : by_domain)
      if (turn < domain.size()) order.push_back(domain[turn]);
  return order;
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

}  // namespace vnode
