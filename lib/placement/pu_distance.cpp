#include <algorithm>
#include <cmath>
#include <cstdint>

#include <vnode/pu_distance.hpp>

namespace vnode {
namespace {

constexpr double in_core = 1, in_l2 = 2, in_l3 = 3, in_numa = 10, in_package = 15, in_machine = 20;

/// Empty if the machine's are of no use.
std::vector<std::vector<double>> scaled_distances(const Machine& machine) {
  const std::size_t size = machine.distances.size();
  if (size < 2 || size != machine.numas.size()) return {};
  std::uint64_t least = 0;
  for (std::size_t a = 0; a < size; ++a) {
    if (machine.distances[a].size() != size) return {};
    for (std::size_t b = 0; b < size; ++b) {
      const std::uint64_t distance = machine.distances[a][b];
      if (distance == 0 && a != b) return {};
      if (distance > 0 && (least == 0 || distance < least)) least = distance;
    }
  }
  std::vector<std::vector<double>> scaled(size, std::vector<double>(size));
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b) {
      const double mean =
          (static_cast<double>(machine.distances[a][b]) + static_cast<double>(machine.distances[b][a])) / 2;
      scaled[a][b] = std::round(16 * in_numa * mean / static_cast<double>(least)) / 16;
    }
  return scaled;
}

}  // namespace

PuDistance::PuDistance(const Machine& machine) : numas_(scaled_distances(machine)) {
  for (const Pu& pu : machine.pus) places_.push_back({pu.core, -1, -1, pu.numa, pu.package});
  for (std::size_t i = 0; i < machine.caches.size(); ++i) {
    const Cache& cache = machine.caches[i];
    if (cache.level != 2 && cache.level != 3) continue;
    for (const int pu : cache.pus) {
      Place& place = places_[static_cast<std::size_t>(pu)];
      (cache.level == 2 ? place.l2 : place.l3) = static_cast<int>(i);
    }
  }
}

double PuDistance::operator()(int a, int b) const {
  if (a == b) return 0;
  const Place &from = places_[static_cast<std::size_t>(a)], &to = places_[static_cast<std::size_t>(b)];
  if (from.core == to.core) return in_core;
  if (from.numa != to.numa && from_matrix())
    return numas_[static_cast<std::size_t>(from.numa)][static_cast<std::size_t>(to.numa)];
  if (from.l2 >= 0 && from.l2 == to.l2) return in_l2;
  if (from.l3 >= 0 && from.l3 == to.l3) return in_l3;
  if (from.package != to.package) return in_machine;
  return from.numa == to.numa ? in_numa : in_package;
}

}  // namespace vnode
