#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/machine_domains.hpp>

#include "base/at.hpp"
#include "base/grouped.hpp"
#include "machine/pu_places.hpp"

namespace vnode {

std::vector<int> pu_domains(const Machine& machine, DomainLevel level) {
  // The key is what PUs of one domain have in common: an L3 where they have one, or else their NUMA node.
  const auto key = [=](const PuPlace& place) {
    if (level == DomainLevel::machine) return std::pair(-1, place.machine);
    if (level == DomainLevel::package) return std::pair(-1, place.package);
    if (level == DomainLevel::l3 && place.l3 >= 0) return std::pair(place.l3, -1);
    return std::pair(-1, place.numa);
  };
  std::map<std::pair<int, int>, int> numbers;
  std::vector<int> domains;
  for (const PuPlace& place : pu_places(machine))
    domains.push_back(numbers.emplace(key(place), static_cast<int>(numbers.size())).first->second);
  return domains;
}

std::vector<std::vector<int>> allowed_domains(const Machine& machine, DomainLevel level) {
  const std::vector<int> domains = pu_domains(machine, level);
  return grouped(machine.allowed_pus(), [&](int pu) { return at(domains, pu); });
}

std::vector<std::vector<Rank>> domains_of(const Machine& machine, const Mapping& mapping, DomainLevel level) {
  const std::vector<int> domains = pu_domains(machine, level);
  std::vector<Rank> ranks;
  for (const int pu : mapping.pu) {
    const auto rank = static_cast<Rank>(ranks.size());
    if (pu < 0 || pu >= static_cast<int>(domains.size()))
      throw UsageError(
          fmt::format("node {} is mapped to PU {}, the machine has {}", rank, pu, domains.size()));
    ranks.push_back(rank);
  }
  return grouped(ranks, [&](Rank rank) { return at(domains, at(mapping.pu, rank)); });
}

namespace {

/// Orders PUs as a node whose own PU is `own` prefers them: those of its core first, then the nearest in
/// number.
struct Nearness {
  const Machine& machine;
  int own;
  std::pair<bool, int> operator()(int pu) const {
    const auto core = [&](int of) { return at(machine.pus, of).core; };
    return {core(pu) != core(own), std::abs(pu - own)};
  }
};

}  // namespace

std::vector<std::vector<int>> domain_shares(const Machine& machine, const Mapping& mapping,
                                            DomainLevel level) {
  const std::vector<int> domain_of = pu_domains(machine, level);
  const auto own = [&](Rank rank) { return at(mapping.pu, rank); };
  std::vector<std::vector<int>> shares(mapping.pu.size());
  for (std::vector<Rank> ranks : domains_of(machine, mapping, level)) {
    std::vector<int> others;  // that are no node's own
    for (const int pu : machine.allowed_pus())
      if (at(domain_of, pu) == at(domain_of, own(ranks.front())) &&
          std::ranges::find(ranks, pu, own) == ranks.end())
        others.push_back(pu);
    std::ranges::stable_sort(ranks, {}, own);
    for (const Rank rank : ranks) at(shares, rank) = {own(rank)};
    for (std::size_t turn = 0; !others.empty(); turn = (turn + 1) % ranks.size()) {
      const Rank rank = ranks[turn];
      const auto next = std::ranges::min_element(others, {}, Nearness{machine, own(rank)});
      at(shares, rank).push_back(*next);
      others.erase(next);
    }
    for (const Rank rank : ranks) std::ranges::sort(at(shares, rank));
  }
  return shares;
}

}  // namespace vnode
