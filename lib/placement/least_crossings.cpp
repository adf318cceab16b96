#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

#include <vnode/error.hpp>
#include <vnode/lab/mapping_metrics.hpp>

namespace vnode {
namespace {

/// Against rounding, where a real number has to be a bound of whole ones.
constexpr double slack = 1e-6;

/// The sum of the ones of 0 .. n-1 in binary: the links inside the n lowest ranks of a hypercube, which no n
/// nodes exceed.
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

/// The links that leave n nodes of a torus with k extents e: at least 2 r n^(1 - 1/r) e^(k/r - 1) for the
/// best r of 1 .. k, if they are half of all or fewer.
double links_out_of_torus(const Topology& torus, int n) {
  const double nodes = std::min(n, torus.nodes() - n);
  const int k = torus.dimensions();
  double least = std::numeric_limits<double>::infinity();
  for (int r = 1; r <= k; ++r)
    least = std::min(least, 2 * r * std::pow(nodes, 1 - 1.0 / r) *
                                std::pow(torus.extent(0), static_cast<double>(k) / r - 1));
  return nodes > 0 ? least : 0;
}

/// The links there are without those inside the sets.
long without(long links, std::span<const int> sizes, const std::function<long(int)>& inside) {
  for (const int size : sizes) links -= inside(size);
  return std::max(links, 0L);
}

void check_sizes(const Topology& topology, std::span<const int> sizes) {
  long sum = 0;
  for (const int size : sizes) {
    if (size < 1) throw UsageError(fmt::format("a set of {} nodes is none: 1 is the least", size));
    sum += size;
  }
  if (sum != topology.nodes())
    throw UsageError(fmt::format("the sets have {} nodes in sum, the topology {}", sum, topology.nodes()));
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

}  // namespace vnode
