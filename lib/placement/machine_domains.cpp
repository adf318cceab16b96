#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/machine_domains.hpp>

namespace vnode {
namespace {

/// What PUs of one domain have in common: the index of their cache, or -1, and that of their node or package.
using Key = std::pair<int, int>;

std::vector<Key> keys(const Machine& machine, DomainLevel level) {
  std::vector<Key> all;
  for (const Pu& pu : machine.pus) all.emplace_back(-1, level == DomainLevel::package ? pu.package : pu.numa);
  if (level != DomainLevel::l3) return all;
  for (std::size_t i = 0; i < machine.caches.size(); ++i) {
    const Cache& cache = machine.caches[i];
    if (cache.level != 3) continue;
    for (const int pu : cache.pus) all[static_cast<std::size_t>(pu)] = {static_cast<int>(i), -1};
  }
  return all;
}

/// `members` by the domain of each, in the order of their first.
std::vector<std::vector<int>> grouped(const std::vector<int>& members, const std::vector<int>& domains) {
  std::vector<std::vector<int>> groups;
  std::map<int, std::size_t> places;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto [place, is_new] = places.emplace(domains[i], groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(members[i]);
  }
  return groups;
}

}  // namespace

std::vector<int> pu_domains(const Machine& machine, DomainLevel level) {
  std::map<Key, int> numbers;
  std::vector<int> domains;
  for (const Key& key : keys(machine, level))
    domains.push_back(numbers.emplace(key, static_cast<int>(numbers.size())).first->second);
  return domains;
}

std::vector<std::vector<int>> allowed_domains(const Machine& machine, DomainLevel level) {
  const std::vector<int> domains = pu_domains(machine, level), allowed = machine.allowed_pus();
  std::vector<int> of_allowed;
  for (const int pu : allowed) of_allowed.push_back(domains[static_cast<std::size_t>(pu)]);
  return grouped(allowed, of_allowed);
}

std::vector<std::vector<Rank>> domains_of(const Machine& machine, const Mapping& mapping, DomainLevel level) {
  const std::vector<int> domains = pu_domains(machine, level);
  std::vector<Rank> ranks;
  std::vector<int> of_ranks;
  for (const int pu : mapping.pu) {
    const auto rank = static_cast<Rank>(ranks.size());
    if (pu < 0 || pu >= static_cast<int>(domains.size()))
      throw UsageError(
          fmt::format("node {} is mapped to PU {}, the machine has {}", rank, pu, domains.size()));
    ranks.push_back(rank);
    of_ranks.push_back(domains[static_cast<std::size_t>(pu)]);
  }
  return grouped(ranks, of_ranks);
}

}  // namespace vnode
