#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/pu_distance.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "placement/node_links.hpp"

namespace vnode {
namespace {

/// Guards against rounding, where a real number has to be a bound of whole ones.
constexpr double slack = 1e-6;

/// Returns the sum of the ones of 0 .. n-1 in binary: the links inside the n lowest ranks of a hypercube,
/// which no n nodes exceed.
long links_in_hypercube(int n) {
  long links = 0;
  for (unsigned rank = 0; rank < static_cast<unsigned>(n); ++rank) links += std::popcount(rank);
  return links;
}

/// n nodes lie on a_i lines along dimension i, so that n - a_i links along it join two of them; and the
/// product of all a_i is at least n^(k-1), k dimensions. No a_i is less than n / extent.
long links_in_mesh(const Topology& mesh, int n) {
  std::vector<double> lines;
  for (const int extent : mesh.extents()) lines.push_back(std::ceil(static_cast<double>(n) / extent));
  std::ranges::sort(lines);
  const auto k = lines.size();
  // The least sum has the same value wherever the extents allow it: the small ones are raised to it.
  double rest = static_cast<double>(k - 1) * std::log(n);
  for (const double line : lines) rest -= std::log(line);
  for (std::size_t raised = 0; rest > 0 && raised < k; ++raised) {
    const auto many = static_cast<double>(raised + 1);
    const double step = raised + 1 < k ? many * std::log(lines[raised + 1] / lines[raised]) : rest;
    const double level = lines[raised] * std::exp(std::min(step, rest) / many);
    for (std::size_t i = 0; i <= raised; ++i) lines[i] = level;
    rest -= step;
  }
  double sum = 0;
  for (const double line : lines) sum += line;
  return static_cast<long>(k) * n - static_cast<long>(std::ceil(sum - slack));
}

/// Returns a bound on the links that leave n nodes of a torus with k extents e: at least 2 r n^(1 - 1/r)
/// e^(k/r - 1) for the best r of 1 .. k, if they are half of all or fewer.
double links_out_of_torus(const Topology& torus, int n) {
  const double nodes = std::min(n, torus.nodes() - n);
  const int k = torus.dimensions();
  double least = std::numeric_limits<double>::infinity();
  for (int r = 1; r <= k; ++r)
    least = std::min(least, 2 * r * std::pow(nodes, 1 - 1.0 / r) *
                                std::pow(torus.extent(0), static_cast<double>(k) / r - 1));
  return nodes > 0 ? least : 0;
}

/// Returns the number of links without those inside the sets.
long without(long links, std::span<const int> sizes, const std::function<long(int)>& inside) {
  for (const int size : sizes) links -= inside(size);
  return std::max(links, 0L);
}

void check_sizes(const Topology& topology, std::span<const int> sizes) {
  long sum = 0;
  for (const int size : sizes) {
    if (size < 1) throw UsageError(fmt::format("a set has at least 1 node, not {}", size));
    sum += size;
  }
  if (sum != topology.nodes())
    throw UsageError(fmt::format("the sets have {} nodes in sum, the topology {}", sum, topology.nodes()));
}

constexpr std::size_t most_linked = 4096;

/// Says how far two groups of PUs are from each other when they become one.
struct Merger {
  double distance = 0;
  int a = 0, b = 0;  ///< PUs of the groups, as indices of `pus`
};

/// Returns a shortest spanning tree of the PUs (Prim), the shortest edges first: without those longer than t
/// it is the groups whose PUs are joined by steps of t or less.
std::vector<Merger> mergers(const PuDistance& distance, const std::vector<int>& pus) {
  std::vector<Merger> nearest;  // by PU outside the tree: the way to it
  for (std::size_t i = 1; i < pus.size(); ++i)
    nearest.push_back({distance(pus[0], pus[i]), 0, static_cast<int>(i)});
  std::vector<Merger> edges;
  while (!nearest.empty()) {
    const auto next = std::ranges::min_element(nearest, {}, &Merger::distance);
    const Merger edge = *next;
    *next = nearest.back();
    nearest.pop_back();
    edges.push_back(edge);
    for (Merger& way : nearest) {
      const double shorter = distance(at(pus, edge.b), at(pus, way.b));
      if (shorter < way.distance) way = {shorter, edge.b, way.b};
    }
  }
  std::ranges::stable_sort(edges, {}, &Merger::distance);
  return edges;
}

/// The weighted hops are the sum over all t of the links longer than t, and these cross between the groups
/// whose PUs are joined by steps of t or less.
std::optional<double> least_weighted_hops(const PuDistance& distance, const Topology& topology,
                                          const Mapping& mapping) {
  std::map<int, int> loads;
  for (const int pu : mapping.pu) ++loads[pu];
  if (loads.size() > most_linked) return {};
  std::vector<int> pus, sizes, group;
  for (const auto& [pu, load] : loads) {
    group.push_back(static_cast<int>(pus.size()));
    pus.push_back(pu);
    sizes.push_back(load);
  }
  const auto root = [&](int member) {
    while (at(group, member) != member) member = at(group, member) = at(group, at(group, member));
    return member;
  };
  double hops = 0, reached = 0;
  for (const Merger& merger : mergers(distance, pus)) {
    if (merger.distance > reached) {
      std::vector<int> groups;
      for (const int size : sizes)
        if (size > 0) groups.push_back(size);
      const std::optional<long> crossings = least_crossings(topology, groups);
      if (!crossings) return {};
      hops += (merger.distance - reached) * static_cast<double>(*crossings);
      reached = merger.distance;
    }
    const int a = root(merger.a), b = root(merger.b);
    at(group, b) = a;
    at(sizes, a) += std::exchange(at(sizes, b), 0);
  }
  return hops;
}

/// Returns the number of nodes in each domain that has any.
std::vector<int> sizes_of(const std::vector<std::vector<Rank>>& domains) {
  std::vector<int> sizes;
  for (const std::vector<Rank>& ranks : domains) sizes.push_back(static_cast<int>(ranks.size()));
  return sizes;
}

}  // namespace

std::optional<long> least_crossings(const Topology& topology, std::span<const int> sizes) {
  check_sizes(topology, sizes);
  if (sizes.size() == 1) return 0;
  const long p = topology.nodes();
  switch (topology.family()) {
    case Family::array:
    case Family::tree:
      return without(p - 1, sizes, [](int n) { return n - 1; });
    case Family::ring:
      return without(topology.links(), sizes, [](int n) { return n - 1; });
    case Family::full:
      return without(topology.links(), sizes, [](int n) { return static_cast<long>(n) * (n - 1) / 2; });
    case Family::hypercube:
      return without(topology.links(), sizes, links_in_hypercube);
    case Family::mesh:
      return without(topology.links(), sizes, [&](int n) { return links_in_mesh(topology, n); });
    case Family::torus:
      break;
  }
  if (topology.extent(0) < 3 ||
      std::ranges::count(topology.extents(), topology.extent(0)) != topology.dimensions())
    return {};
  double ends = 0;
  for (const int size : sizes) ends += links_out_of_torus(topology, size);
  return static_cast<long>(std::ceil(ends / 2 - slack));
}

void check_mapping(const Machine& machine, const Topology& topology, const Mapping& mapping) {
  if (mapping.pu.size() != static_cast<std::size_t>(topology.nodes()))
    throw UsageError(fmt::format("the mapping has {}, the topology, {}, has {}",
                                 counted(mapping.pu.size(), "node"), topology.text(), topology.nodes()));
  for (std::size_t rank = 0; rank < mapping.pu.size(); ++rank)
    if (mapping.pu[rank] < 0 || mapping.pu[rank] >= static_cast<int>(machine.pus.size()))
      throw UsageError(fmt::format("node {} is mapped to PU {}, the machine has {}", rank, mapping.pu[rank],
                                   machine.pus.size()));
}

void check_weights(const Topology& topology, std::span<const double> weights) {
  if (!weights.empty() && weights.size() != static_cast<std::size_t>(topology.links()))
    throw UsageError(fmt::format("{} weights are given, {} has {} links", weights.size(), topology.text(),
                                 topology.links()));
  for (std::size_t link = 0; link < weights.size(); ++link)
    if (!(weights[link] >= 0 && std::isfinite(weights[link])))
      throw UsageError(
          fmt::format("the weight of link {} is {}: 0 or more would be right", link, weights[link]));
}

double weighted_hops(const Machine& machine, const Topology& topology, const Mapping& mapping,
                     std::span<const double> weights, const std::optional<NumaDistances>& distances) {
  check_mapping(machine, topology, mapping);
  check_weights(topology, weights);
  const PuDistance distance(machine, distances);
  double hops = 0;
  for_each_length(topology, mapping.pu, weights,
                  [&](int a, int b, double weight, long) { hops += weight * distance(a, b); });
  return hops;
}

MappingMetrics mapping_metrics(const Machine& machine, const Topology& topology, const Mapping& mapping,
                               std::span<const double> weights,
                               const std::optional<NumaDistances>& distances) {
  MappingMetrics metrics{.links = topology.links(),
                         .weighted_hops = weighted_hops(machine, topology, mapping, weights, distances)};
  const PuDistance distance(machine, distances);
  std::array<std::vector<int>, 4> domains;  // by PU
  for (const DomainLevel level : domain_levels()) {
    const std::vector<int> sizes = sizes_of(domains_of(machine, mapping, level));
    const auto at = static_cast<std::size_t>(level);
    domains[at] = pu_domains(machine, level);
    metrics.crossings[at] = {.domains = static_cast<int>(sizes.size()),
                             .least = least_crossings(topology, sizes)};
  }
  const std::vector<int>& packages = domains[static_cast<std::size_t>(DomainLevel::package)];
  std::map<std::pair<int, int>, double> package_loads;
  for_each_length(topology, mapping.pu, weights, [&](int a, int b, double weight, long links) {
    const auto from = static_cast<std::size_t>(a), to = static_cast<std::size_t>(b);
    metrics.dilation = std::max(metrics.dilation, distance(a, b));
    for (std::size_t level = 0; level < domains.size(); ++level)
      if (domains[level][from] != domains[level][to]) metrics.crossings[level].links += links;
    if (packages[from] != packages[to]) package_loads[std::minmax({packages[from], packages[to]})] += weight;
  });
  for (const auto& [pair, load] : package_loads)
    metrics.package_link_load = std::max(metrics.package_link_load, load);
  if (weights.empty()) metrics.least_weighted_hops = least_weighted_hops(distance, topology, mapping);
  return metrics;
}

}  // namespace vnode
