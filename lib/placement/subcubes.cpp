#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/lab/gray_code.hpp>
#include <vnode/lab/mapping_policy.hpp>

#include "placement/slots.hpp"

namespace vnode {
namespace {

/// The PUs of one domain among some slots.
struct Share {
  std::vector<int> certain = {}, open = {};
};

std::vector<Share> shares(const Slots& slots, const std::vector<int>& domains) {
  std::vector<Share> all;
  const auto add = [&](int pu, std::vector<int> Share::*to) {
    const auto domain = static_cast<std::size_t>(domains[static_cast<std::size_t>(pu)]);
    if (domain >= all.size()) all.resize(domain + 1);
    (all[domain].*to).push_back(pu);
  };
  for (const int pu : slots.certain) add(pu, &Share::certain);
  for (const int pu : slots.open) add(pu, &Share::open);
  return all;
}

/// As many PUs of each of 2^k domains, as few domains as can be: empty if there are no such.
std::vector<int> equal_slots(const Machine& machine, int nodes) {
  const Slots some = slots(machine, nodes);
  const std::vector<Share> all = shares(some, pu_domains(machine, DomainLevel::numa));
  const auto p = static_cast<std::size_t>(nodes);
  for (std::size_t domains = 1; domains <= std::min(p, all.size()); domains *= 2) {
    const std::size_t each = p / domains;
    std::vector<int> pus;
    std::size_t certain = 0;
    for (const Share& share : all) {
      if (pus.size() == p || share.certain.size() > each || share.certain.size() + share.open.size() < each)
        continue;
      certain += share.certain.size();
      std::vector<int> taken = share.certain;
      taken.insert(taken.end(), share.open.begin(),
                   share.open.begin() + static_cast<std::ptrdiff_t>(each - taken.size()));
      std::ranges::sort(taken);
      pus.insert(pus.end(), taken.begin(), taken.end());
    }
    if (pus.size() == p && certain == some.certain.size()) return pus;
  }
  return {};
}

}  // namespace

Mapping subcubes_mapping(const Machine& machine, const Topology& topology) {
  if (topology.family() != Family::hypercube)
    throw UsageError(fmt::format("subcubes needs a hypercube: {} has no sub-cubes", name(topology.family())));
  std::vector<int> order = equal_slots(machine, topology.nodes());
  if (order.empty()) order = compact_slots(machine, topology.nodes());
  std::vector<int> pus(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    pus[static_cast<std::size_t>(gray_encode(static_cast<int>(i)))] = order[i];
  return mapping_on(machine, std::move(pus));
}

}  // namespace vnode
