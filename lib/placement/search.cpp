#include "placement/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <vnode/model/machine_domains.hpp>

#include "base/at.hpp"
#include "placement/node_links.hpp"

namespace vnode {

LinkGraph::LinkGraph(const Topology& topology, std::span<const double> weights)
    : first_(static_cast<std::size_t>(topology.nodes()) + 1) {
  for_each_link(topology, weights, [&](Rank a, Rank b, double) {
    ++first_[static_cast<std::size_t>(a) + 1];
    ++first_[static_cast<std::size_t>(b) + 1];
  });
  for (std::size_t rank = 1; rank < first_.size(); ++rank) first_[rank] += first_[rank - 1];
  all_.resize(first_.back());
  std::vector<std::size_t> next = first_;
  for_each_link(topology, weights, [&](Rank a, Rank b, double weight) {
    all_[at(next, a)++] = {b, weight};
    all_[at(next, b)++] = {a, weight};
  });
}

std::span<const LinkGraph::Neighbour> LinkGraph::neighbours(Rank rank) const {
  const std::size_t first = at(first_, rank);
  return std::span(all_).subspan(first, at(first_, rank + 1) - first);
}

double LinkGraph::hops(const PuDistance& distance, const std::vector<int>& pus) const {
  double sum = 0;
  for (Rank rank = 0; rank < nodes(); ++rank)
    for (const auto& [neighbour, weight] : neighbours(rank))
      if (neighbour < rank) sum += weight * distance(at(pus, rank), at(pus, neighbour));
  return sum;
}

namespace {

void add_to(std::vector<std::vector<int>>& groups, int group, int slot) {
  const auto number = static_cast<std::size_t>(group);
  if (number >= groups.size()) groups.resize(number + 1);
  groups[number].push_back(slot);
}

/// Knows the ranks on the slots, and exchanges what two slots hold. A slot that is open may be empty, and so
/// may its partner in an exchange; the others never are.
class SearchState {
 public:
  /// Begins with node i on PU pus[i]; these fill the space's slots.
  SearchState(const SearchSpace& space, const std::vector<int>& pus) : space_(space) {
    std::vector<std::pair<int, int>> free;  // PU, slot
    const auto add = [&](int pu, bool open) {
      const int slot = slots();
      free.emplace_back(pu, slot);
      slots_.push_back({pu, open, -1});
      add_to(by_l3_, at(space.l3s, pu), slot);
      add_to(by_numa_, at(space.numas, pu), slot);
    };
    for (const int pu : space.slots.certain) add(pu, false);
    for (const int pu : space.slots.open) add(pu, true);
    std::ranges::sort(free, {}, [](const auto& one) { return std::pair(one.first, -one.second); });
    // The certain slots of a PU are taken first: they are last among equals.
    std::vector<std::size_t> next(space.l3s.size());
    for (std::size_t i = 0; i < free.size(); ++i) at(next, free[i].first) = i;
    for (Rank rank = 0; rank < static_cast<Rank>(pus.size()); ++rank) {
      const auto pu = static_cast<std::size_t>(at(pus, rank));
      const int slot = free[next[pu]--].second;
      at(slots_, slot).rank = rank;
      slot_of_.push_back(slot);
    }
  }

  std::vector<int> pus() const {
    std::vector<int> pus;
    for (const int slot : slot_of_) pus.push_back(at(slots_, slot).pu);
    return pus;
  }
  int slots() const { return static_cast<int>(slots_.size()); }
  int slot_of(Rank rank) const { return at(slot_of_, rank); }
  bool may_exchange(int a, int b) const {
    const Slot &one = at(slots_, a), &other = at(slots_, b);
    if (one.pu == other.pu || (one.rank < 0 && other.rank < 0)) return false;
    return (one.rank >= 0 && other.rank >= 0) || (one.open && other.open);
  }
  /// Returns what an exchange adds to the hops.
  double change(int a, int b) const {
    const Slot &one = at(slots_, a), &other = at(slots_, b);
    return change(one.rank, other.pu, other.rank) + change(other.rank, one.pu, one.rank);
  }
  void exchange(int a, int b) {
    Rank &one = at(slots_, a).rank, &other = at(slots_, b).rank;
    std::swap(one, other);
    if (one >= 0) at(slot_of_, one) = a;
    if (other >= 0) at(slot_of_, other) = b;
  }
  /// Returns the slots whose PUs are of the same L3 as this one's.
  const std::vector<int>& near(int slot) const { return at(by_l3_, at(space_.l3s, at(slots_, slot).pu)); }
  /// Returns the slots of each NUMA node.
  const std::vector<std::vector<int>>& by_numa() const { return by_numa_; }

 private:
  struct Slot {
    int pu;
    bool open;
    Rank rank;  ///< -1: empty
  };
  /// Returns by how much the links of `rank`, but those to `except`, get longer if it goes to `pu`.
  double change(Rank rank, int pu, Rank except) const {
    if (rank < 0) return 0;
    const int from = at(slots_, slot_of(rank)).pu;
    double sum = 0;
    for (const auto& [neighbour, weight] : space_.graph.neighbours(rank)) {
      if (neighbour == except) continue;
      const int to = at(slots_, slot_of(neighbour)).pu;
      sum += weight * (space_.distance(pu, to) - space_.distance(from, to));
    }
    return sum;
  }

  const SearchSpace& space_;
  std::vector<Slot> slots_;  ///< certain ones first
  std::vector<int> slot_of_;
  std::vector<std::vector<int>> by_l3_, by_numa_;
};

/// Makes random numbers, the same on every system, by SplitMix64 (Steele, Lea and Flood 2014).
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t roll() {
    std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  /// Returns a number of 0 .. sides-1, of which there are less than 2^32.
  std::size_t roll(std::size_t sides) { return static_cast<std::size_t>(((roll() >> 32) * sides) >> 32); }
  /// Returns a number from 0 to below 1.
  double share() { return static_cast<double>(roll() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Bound the steps of a search: some for each node, but not more than a few seconds' worth of links to look
/// at.
constexpr long least_steps = 20'000, steps_per_node = 100, most_changes = 8'000'000;
/// A clock is read once in so many steps.
constexpr long between_looks = 256;
/// Annealing cools from the temperature where a link may well become a NUMA node longer to one where hardly
/// any becomes longer; then it goes on as a descent.
constexpr double hot = 10, cold = 0.1, annealing = 0.7;

double mean_weight(const LinkGraph& graph, double links) {
  double sum = 0;
  for (Rank rank = 0; rank < graph.nodes(); ++rank)
    for (const auto& neighbour : graph.neighbours(rank)) sum += neighbour.weight;
  return links > 0 ? sum / links : 0;
}

/// Exchanges all that two NUMA nodes hold, where that shortens links.
void exchange_domains(SearchState& state, const Deadline& deadline) {
  const auto& domains = state.by_numa();
  for (std::size_t a = 0; a < domains.size() && !late(deadline); ++a)
    for (std::size_t b = a + 1; b < domains.size(); ++b) {
      const std::size_t size = domains[a].size();
      if (size != domains[b].size()) continue;
      double change = 0;
      std::vector<std::pair<int, int>> done;
      for (std::size_t i = 0; i < size; ++i) {
        const int one = domains[a][i], other = domains[b][i];
        if (!state.may_exchange(one, other)) continue;
        change += state.change(one, other);
        state.exchange(one, other);
        done.emplace_back(one, other);
      }
      if (change >= 0)
        for (const auto& [one, other] : done) state.exchange(one, other);
    }
}

/// Returns a slot for `rank`: mostly one near a node that it is linked to.
int likely_slot(const SearchSpace& space, const SearchState& state, Rank rank, Dice& dice) {
  const auto neighbours = space.graph.neighbours(rank);
  if (neighbours.empty() || dice.roll(4) == 0)
    return static_cast<int>(dice.roll(static_cast<std::size_t>(state.slots())));
  const std::vector<int>& near = state.near(state.slot_of(neighbours[dice.roll(neighbours.size())].rank));
  return near[dice.roll(near.size())];
}

/// So many nodes, and PUs times ends of links, are a matter of a second or so.
constexpr std::size_t most_nodes = 1 << 12, most_looks = std::size_t{1} << 28;

/// Counts how many nodes a PU can still take, and how many all open ones together.
class Room {
 public:
  Room(const Slots& slots, std::size_t pus) : certain_(pus), open_(pus), take_(slots.take) {
    for (const int pu : slots.certain) ++at(certain_, pu);
    for (const int pu : slots.open) at(open_, pu) = true;
  }
  bool has(int pu) const { return at(certain_, pu) > 0 || (at(open_, pu) && take_ > 0); }
  void fill(int pu) {
    if (at(certain_, pu) > 0) {
      --at(certain_, pu);
      return;
    }
    at(open_, pu) = false;
    --take_;
  }

 private:
  std::vector<int> certain_;
  std::vector<bool> open_;
  int take_;
};

}  // namespace

SearchSpace::SearchSpace(const Machine& machine, const Topology& topology, std::span<const double> weights,
                         const std::optional<NumaDistances>& distances)
    : distance(machine, distances),
      graph(topology, weights),
      slots(vnode::slots(machine, topology.nodes())),
      complete(topology.family() == Family::full && weights.empty()),
      l3s(pu_domains(machine, DomainLevel::l3)),
      numas(pu_domains(machine, DomainLevel::numa)) {}

bool late(const Deadline& deadline) { return deadline && std::chrono::steady_clock::now() >= *deadline; }

std::vector<int> searched(const SearchSpace& space, const std::vector<int>& pus, bool anneal,
                          std::uint64_t seed, const Deadline& deadline) {
  SearchState state(space, pus);
  const int nodes = space.graph.nodes();
  if (space.complete && state.slots() == nodes) return pus;
  double links = 0;  // both directions
  for (Rank rank = 0; rank < nodes; ++rank) links += static_cast<double>(space.graph.neighbours(rank).size());
  const double most = most_changes / (4 * links / nodes + 1);  // so many exchanges can be looked at
  const auto exchanged = static_cast<double>(state.by_numa().size()) * nodes;
  if (!anneal && exchanged < most) exchange_domains(state, deadline);
  const auto steps =
      static_cast<long>(std::min(static_cast<double>(std::max(least_steps, nodes * steps_per_node)), most));
  const double weight = mean_weight(space.graph, links);
  Dice dice(seed);
  for (long step = 0; step < steps; ++step) {
    if (step % between_looks == 0 && late(deadline)) break;
    const auto rank = static_cast<Rank>(dice.roll(static_cast<std::size_t>(nodes)));
    const int from = state.slot_of(rank), to = likely_slot(space, state, rank, dice);
    if (!state.may_exchange(from, to)) continue;
    const double change = state.change(from, to);
    const double time = static_cast<double>(step) / (annealing * static_cast<double>(steps));
    const bool taken =
        change <= 0 || (anneal && time < 1 &&
                        dice.share() < std::exp(-change / (weight * hot * std::pow(cold / hot, time))));
    if (taken) state.exchange(from, to);
  }
  return state.pus();
}

std::optional<std::vector<int>> greedy(const SearchSpace& space, const Deadline& deadline) {
  const auto nodes = static_cast<std::size_t>(space.graph.nodes());
  std::vector<int> usable = space.slots.certain;
  usable.insert(usable.end(), space.slots.open.begin(), space.slots.open.end());
  std::ranges::sort(usable);
  usable.erase(std::unique(usable.begin(), usable.end()), usable.end());
  if (nodes > most_nodes || usable.size() > most_looks / std::max<std::size_t>(space.graph.ends(), 1))
    return {};
  Room room(space.slots, space.l3s.size());
  std::vector<int> pus(nodes, -1);
  std::vector<double> drawn(nodes);  // by node not placed: the weight of its links to those that are
  for (std::size_t placed = 0; placed < nodes; ++placed) {
    if (late(deadline)) return {};
    std::size_t next = nodes;
    for (std::size_t node = 0; node < nodes; ++node)
      if (pus[node] < 0 && (next == nodes || drawn[node] > drawn[next])) next = node;
    int best = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const int pu : usable) {
      if (!room.has(pu)) continue;
      double hops = 0;
      for (const auto& [neighbour, weight] : space.graph.neighbours(static_cast<Rank>(next)))
        if (const int there = at(pus, neighbour); there >= 0) hops += weight * space.distance(pu, there);
      if (best >= 0 && hops >= least) continue;  // a sum of huge weights may be infinite
      least = hops;
      best = pu;
    }
    pus[next] = best;
    room.fill(best);
    for (const auto& [neighbour, weight] : space.graph.neighbours(static_cast<Rank>(next)))
      at(drawn, neighbour) += weight;
  }
  return pus;
}

}  // namespace vnode
