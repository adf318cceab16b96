#include "team/joined_mapping.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>

#include "base/at.hpp"
#include "placement/slots.hpp"

namespace vnode {
namespace {

/// Matches nodes with cores, each of which has one node at most, and grows the matching by augmenting paths.
class Matching {
 public:
  Matching(int cores, const std::vector<std::vector<int>>& cores_of)
      : cores_of_(cores_of), node_on_(static_cast<std::size_t>(cores), none) {}

  /// Tells whether the node gets a core, for which other nodes may have to move to another core of theirs.
  bool add(int node) {
    seen_.assign(node_on_.size(), false);
    return find(node);
  }
  /// Returns, by core, the node that has it, or none.
  const std::vector<int>& node_on() const { return node_on_; }
  static constexpr int none = -1;

 private:
  bool find(int node) {
    for (const int core : at(cores_of_, node)) {
      if (seen_[static_cast<std::size_t>(core)]) continue;
      seen_[static_cast<std::size_t>(core)] = true;
      int& there = at(node_on_, core);
      if (there != none && !find(there)) continue;
      there = node;
      return true;
    }
    return false;
  }

  const std::vector<std::vector<int>>& cores_of_;
  std::vector<int> node_on_;
  std::vector<bool> seen_;  // by core, by the search that is on
};

/// Returns, by rank, the PUs of the machine that the thread may use, the usual one first.
std::vector<std::vector<int>> pus_of_each(const Machine& machine, const Mapping& usual,
                                          const std::vector<std::vector<int>>& affinities) {
  std::map<int, int> by_os_index;
  for (int pu = 0; pu < static_cast<int>(machine.pus.size()); ++pu)
    by_os_index.emplace(at(machine.pus, pu).os_index, pu);
  std::vector<std::vector<int>> all;
  for (std::size_t node = 0; node < affinities.size(); ++node) {
    std::vector<int>& pus = all.emplace_back();
    for (const int os_index : affinities[node])
      if (const auto found = by_os_index.find(os_index); found != by_os_index.end())
        pus.push_back(found->second);
    std::ranges::sort(pus);
    if (pus.empty()) pus.push_back(usual.pu[node]);
    if (const auto own = std::ranges::find(pus, usual.pu[node]); own != pus.end())
      std::rotate(pus.begin(), own, own + 1);
  }
  return all;
}

}  // namespace

Mapping joined_mapping(const Machine& machine, const Mapping& usual,
                       const std::vector<std::vector<int>>& affinities) {
  const std::vector<std::vector<int>> pus = pus_of_each(machine, usual, affinities);
  const auto nodes = static_cast<int>(pus.size());
  std::vector<int> order(pus.size()), chosen(pus.size(), Matching::none);
  std::iota(order.begin(), order.end(), 0);
  if (std::ranges::all_of(order, [&](int node) { return at(pus, node).front() == at(usual.pu, node); }))
    return usual;
  std::vector<std::vector<int>> cores(pus.size());
  for (int node = 0; node < nodes; ++node)
    for (const int pu : at(pus, node))
      if (const int core = at(machine.pus, pu).core;
          std::ranges::find(at(cores, node), core) == at(cores, node).end())
        at(cores, node).push_back(core);
  // Threads that may use the fewest cores get theirs first.
  std::ranges::stable_sort(order, {}, [&](int node) { return at(cores, node).size(); });
  Matching matching(static_cast<int>(machine.cores.size()), cores);
  for (std::size_t matched = 0; const int node : order)
    if (matched < machine.cores.size() && matching.add(node)) ++matched;
  std::vector<int> uses(machine.pus.size());
  for (int core = 0; core < static_cast<int>(machine.cores.size()); ++core)
    if (const int node = at(matching.node_on(), core); node != Matching::none) {
      at(chosen, node) =
          *std::ranges::find(at(pus, node), core, [&](int pu) { return at(machine.pus, pu).core; });
      ++at(uses, at(chosen, node));
    }
  for (const int node : order)
    if (at(chosen, node) == Matching::none) {
      at(chosen, node) = *std::ranges::min_element(at(pus, node), {}, [&](int pu) { return at(uses, pu); });
      ++at(uses, at(chosen, node));
    }
  return mapping_on(machine, std::move(chosen));
}

}  // namespace vnode
