#include <algorithm>
#include <cstdlib>
#include <utility>

#include <vnode/lab/machine_domains.hpp>

namespace vnode {
namespace {

/// What a node whose own PU is `own` had rather: PUs of its core, then the nearest in number.
struct Nearness {
  const Machine& machine;
  int own;
  std::pair<bool, int> operator()(int pu) const {
    const auto core = [&](int of) { return machine.pus[static_cast<std::size_t>(of)].core; };
    return {core(pu) != core(own), std::abs(pu - own)};
  }
};

}  // namespace

std::vector<std::vector<int>> domain_shares(const Machine& machine, const Mapping& mapping,
                                            DomainLevel level) {
  const std::vector<int> domain_of = pu_domains(machine, level);
  const auto own = [&](Rank rank) { return mapping.pu[static_cast<std::size_t>(rank)]; };
  std::vector<std::vector<int>> shares(mapping.pu.size());
  for (std::vector<Rank> ranks : domains_of(machine, mapping, level)) {
    std::vector<int> others;  // that are no node's own
    for (const int pu : machine.allowed_pus())
      if (domain_of[static_cast<std::size_t>(pu)] ==
              domain_of[static_cast<std::size_t>(own(ranks.front()))] &&
          std::ranges::find(ranks, pu, own) == ranks.end())
        others.push_back(pu);
    std::ranges::stable_sort(ranks, {}, own);
    for (const Rank rank : ranks) shares[static_cast<std::size_t>(rank)] = {own(rank)};
    for (std::size_t turn = 0; !others.empty(); turn = (turn + 1) % ranks.size()) {
      const Rank rank = ranks[turn];
      const auto next = std::ranges::min_element(others, {}, Nearness{machine, own(rank)});
      shares[static_cast<std::size_t>(rank)].push_back(*next);
      others.erase(next);
    }
    for (const Rank rank : ranks) std::ranges::sort(shares[static_cast<std::size_t>(rank)]);
  }
  return shares;
}

}  // namespace vnode
