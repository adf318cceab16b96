#include "placement/search_state.hpp"

#include <algorithm>
#include <utility>

#include <vnode/lab/machine_domains.hpp>

namespace vnode {
namespace {

void add_to(std::vector<std::vector<int>>& groups, int group, int slot) {
  const auto at = static_cast<std::size_t>(group);
  if (at >= groups.size()) groups.resize(at + 1);
  groups[at].push_back(slot);
}

}  // namespace

SearchSpace::SearchSpace(const Machine& machine, const Topology& topology, std::span<const double> weights,
                         const std::optional<NumaDistances>& distances)
    : distance(machine, distances),
      graph(topology, weights),
      slots(vnode::slots(machine, topology.nodes())),
      complete(topology.family() == Family::full && weights.empty()),
      l3s(pu_domains(machine, DomainLevel::l3)),
      numas(pu_domains(machine, DomainLevel::numa)) {}

SearchState::SearchState(const SearchSpace& space, const std::vector<int>& pus) : space_(space) {
  std::vector<std::pair<int, int>> free;  // PU, slot
  const auto add = [&](int pu, bool open) {
    const int slot = slots();
    free.emplace_back(pu, slot);
    slots_.push_back({pu, open, -1});
    const auto at = static_cast<std::size_t>(pu);
    add_to(by_l3_, space.l3s[at], slot);
    add_to(by_numa_, space.numas[at], slot);
  };
  for (const int pu : space.slots.certain) add(pu, false);
  for (const int pu : space.slots.open) add(pu, true);
  std::ranges::sort(free, {}, [](const auto& one) { return std::pair(one.first, -one.second); });
  // The certain slots of a PU are taken first: they are last among equals.
  std::vector<std::size_t> next(space.l3s.size());
  for (std::size_t i = 0; i < free.size(); ++i) next[static_cast<std::size_t>(free[i].first)] = i;
  for (Rank rank = 0; rank < static_cast<Rank>(pus.size()); ++rank) {
    const auto pu = static_cast<std::size_t>(pus[static_cast<std::size_t>(rank)]);
    const int slot = free[next[pu]--].second;
    slots_[static_cast<std::size_t>(slot)].rank = rank;
    slot_of_.push_back(slot);
  }
}

std::vector<int> SearchState::pus() const {
  std::vector<int> pus;
  for (const int slot : slot_of_) pus.push_back(at(slot).pu);
  return pus;
}

bool SearchState::may_exchange(int a, int b) const {
  const Slot &one = at(a), &other = at(b);
  if (one.pu == other.pu || (one.rank < 0 && other.rank < 0)) return false;
  return (one.rank >= 0 && other.rank >= 0) || (one.open && other.open);
}

double SearchState::change(Rank rank, int pu, Rank except) const {
  if (rank < 0) return 0;
  const int from = at(slot_of(rank)).pu;
  double sum = 0;
  for (const auto& [neighbour, weight] : space_.graph.neighbours(rank)) {
    if (neighbour == except) continue;
    const int to = at(slot_of(neighbour)).pu;
    sum += weight * (space_.distance(pu, to) - space_.distance(from, to));
  }
  return sum;
}

double SearchState::change(int a, int b) const {
  const Slot &one = at(a), &other = at(b);
  return change(one.rank, other.pu, other.rank) + change(other.rank, one.pu, one.rank);
}

void SearchState::exchange(int a, int b) {
  Rank &one = slots_[static_cast<std::size_t>(a)].rank, &other = slots_[static_cast<std::size_t>(b)].rank;
  std::swap(one, other);
  if (one >= 0) slot_of_[static_cast<std::size_t>(one)] = a;
  if (other >= 0) slot_of_[static_cast<std::size_t>(other)] = b;
}

const std::vector<int>& SearchState::near(int slot) const {
  return by_l3_[static_cast<std::size_t>(space_.l3s[static_cast<std::size_t>(at(slot).pu)])];
}

}  // namespace vnode
