#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/model/pu_distance.hpp>

#include "base/at.hpp"
#include "machine/pu_places.hpp"

namespace vnode {
namespace {

constexpr double in_core = 1, in_l2 = 2, in_l3 = 3, in_numa = 10, in_machine = 20;

/// Returns distances that are alike in both directions, the least being `in_numa`.
std::vector<std::vector<double>> scaled(const NumaDistances& known, std::size_t size) {
  std::uint64_t least = 0;
  bool complete = known.values.size() == size;
  for (const auto& row : known.values) {
    complete = complete && row.size() == size && std::ranges::find(row, 0U) == row.end();
    for (const std::uint64_t distance : row) least = least == 0 ? distance : std::min(least, distance);
  }
  if (!complete)
    throw UsageError(
        fmt::format("distances between {} NUMA nodes are {} times {}, and none is 0", size, size, size));
  std::vector<std::vector<double>> values(size, std::vector<double>(size));
  for (std::size_t a = 0; a < size; ++a)
    for (std::size_t b = 0; b < size; ++b) {
      const double mean =
          (static_cast<double>(known.values[a][b]) + static_cast<double>(known.values[b][a])) / 2;
      values[a][b] = std::round(16 * in_numa * mean / static_cast<double>(least)) / 16;
    }
  return values;
}

}  // namespace

PuDistance::PuDistance(const Machine& machine, const std::optional<NumaDistances>& known) {
  const NumaDistances distances = known ? *known : numa_distances(machine);
  source_ = distances.source;
  numas_ = scaled(distances, machine.numas.size());
  for (const PuPlace& place : pu_places(machine))
    places_.push_back({place.core, place.l2, place.l3, place.numa, place.package});
}

double PuDistance::operator()(int a, int b) const {
  if (a == b) return 0;
  const Place &from = at(places_, a), &to = at(places_, b);
  if (from.core == to.core) return in_core;
  if (from.numa != to.numa) return at(at(numas_, from.numa), to.numa);
  if (from.l2 >= 0 && from.l2 == to.l2) return in_l2;
  if (from.l3 >= 0 && from.l3 == to.l3) return in_l3;
  return from.package == to.package ? in_numa : in_machine;
}

}  // namespace vnode
