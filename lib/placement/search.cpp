#include "placement/search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "placement/dice.hpp"

namespace vnode {
namespace {

/// Steps of a search: some for each node, but not more than a few seconds' worth of links to look at.
constexpr long least_steps = 20'000, steps_per_node = 100, most_changes = 8'000'000;
/// A clock is read once in so many steps.
constexpr long between_looks = 256;
/// Annealing: from the temperature where a link may well become a NUMA node longer to one where hardly any
/// becomes longer; then it goes on as a descent.
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

/// A node and where to put it: mostly near one that it is linked to.
int likely_slot(const SearchSpace& space, const SearchState& state, Rank rank, Dice& dice) {
  const auto neighbours = space.graph.neighbours(rank);
  if (neighbours.empty() || dice.roll(4) == 0)
    return static_cast<int>(dice.roll(static_cast<std::size_t>(state.slots())));
  const std::vector<int>& near = state.near(state.slot_of(neighbours[dice.roll(neighbours.size())].rank));
  return near[dice.roll(near.size())];
}

}  // namespace

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

}  // namespace vnode
