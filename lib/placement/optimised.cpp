#include <algorithm>
#include <mutex>
#include <oneapi/tbb/parallel_for.h>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "placement/node_links.hpp"
#include "placement/search.hpp"
#include "placement/slots.hpp"

namespace vnode {
namespace {

constexpr int most_links = 1 << 22;
/// No budget allows as much.
constexpr int endless = 1 << 20;

struct Candidate {
  double hops = 0;
  std::vector<int> pus = {};
};

/// Returns the mappings of all other policies, as far as they can map, the best first.
std::vector<Candidate> beginnings(const Machine& machine, const Topology& topology,
                                  const MappingSearch& search) {
  std::vector<Candidate> all;
  for (const MappingPolicy& policy : mapping_policies().first(mapping_policies().size() - 1)) try {
      Mapping mapping = policy.map(machine, topology, search);
      const double hops = weighted_hops(machine, topology, mapping, search.weights, search.distances);
      all.push_back({hops, std::move(mapping.pu)});
    } catch (const UsageError&) {  // not for such a topology or number of nodes
    }
  return all;
}

}  // namespace

Mapping optimised_mapping(const Machine& machine, const Topology& topology, const MappingSearch& search) {
  Deadline deadline;
  if (search.budget) deadline = std::chrono::steady_clock::now() + *search.budget;
  check_weights(topology, search.weights);
  slots(machine, topology.nodes());  // there is a PU at all
  std::vector<Candidate> starts = beginnings(machine, topology, search);
  std::ranges::stable_sort(starts, {}, &Candidate::hops);
  if (topology.links() > most_links || late(deadline)) return mapping_on(machine, starts.front().pus);

  const SearchSpace space(machine, topology, search.weights, search.distances);
  if (!space.complete)
    if (auto pus = greedy(space, deadline)) {
      const double hops = space.graph.hops(space.distance, *pus);
      starts.push_back({hops, std::move(*pus)});
      std::ranges::stable_sort(starts, {}, &Candidate::hops);
    }
  const int searches = search.budget ? endless : std::max(search.searches, 0);
  std::mutex mutex;
  std::pair<double, int> least{starts.front().hops, -1};
  std::vector<int> best = starts.front().pus;
  tbb::parallel_for(0, searches, [&](int number) {
    if (late(deadline)) return;
    const Candidate& start = starts[static_cast<std::size_t>(number / 2) % starts.size()];
    std::vector<int> pus = searched(space, start.pus, number % 2 == 1,
                                    search.seed + static_cast<std::uint64_t>(number), deadline);
    const std::pair found{space.graph.hops(space.distance, pus), number};
    const std::lock_guard lock(mutex);
    if (found >= least) return;
    least = found;
    best = std::move(pus);
  });
  return mapping_on(machine, std::move(best));
}

}  // namespace vnode
