#include "collective/lines.hpp"

#include <algorithm>
#include <numeric>

#include <vnode/compose.hpp>

#include "collective/broadcast.hpp"
#include "collective/formula.hpp"

namespace vnode {

namespace {

std::vector<std::size_t> dimensions(const std::vector<int>& extents, LineOrder order) {
  std::vector<std::size_t> list(extents.size());
  std::iota(list.begin(), list.end(), 0u);
  if (order == LineOrder::fastest_first) std::ranges::reverse(list);
  return list;
}

int stride(const std::vector<int>& extents, std::size_t dimension) {
  return std::accumulate(extents.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, extents.end(), 1,
                         std::multiplies{});
}

}  // namespace

std::vector<Line> fastest_first(const std::vector<int>& extents) {
  std::vector<Line> lines;
  int stride = 1;
  for (auto extent = extents.rbegin(); extent != extents.rend(); stride *= *extent++)
    lines.push_back({*extent, stride});
  return lines;
}

Rank along_line(Rank rank, const Line& line, int steps) {
  const int own = rank / line.stride % line.extent;
  return rank + ((own + steps + line.extent) % line.extent - own) * line.stride;
}

std::vector<int> coordinates(Rank rank, const std::vector<int>& extents) {
  std::vector<int> result(extents.size());
  for (std::size_t i = extents.size(); i-- > 0; rank /= extents[i]) result[i] = rank % extents[i];
  return result;
}

Schedule along_lines(const Parameters& parameters, LineOrder order) {
  const int p = parameters.nodes;
  const std::vector<int>& extents = parameters.extents;
  const std::vector<int> source = coordinates(parameters.root, extents);
  Schedule schedule(p, 1);
  std::vector<Rank> holders{parameters.root};
  for (const std::size_t dimension : dimensions(extents, order)) {
    const int extent = extents[dimension], step = stride(extents, dimension);
    const Schedule line = broadcast_binomial({.nodes = extent, .root = source[dimension]});
    Schedule phase(p, 1);
    std::vector<Rank> reached;
    for (const Rank holder : holders) {
      std::vector<Rank> ranks;
      for (int i = 0; i < extent; ++i) ranks.push_back(holder + (i - source[dimension]) * step);
      phase = beside(phase, on_group(line, p, ranks));
      reached.insert(reached.end(), ranks.begin(), ranks.end());
    }
    schedule = then(schedule, phase);
    holders = std::move(reached);
    std::ranges::sort(holders);
  }
  return schedule;
}

bool on_a_line(const Parameters& parameters, LineOrder order, int round, Rank from, Rank to) {
  const std::vector<int>& extents = parameters.extents;
  for (const std::size_t dimension : dimensions(extents, order)) {
    const int extent = extents[dimension];
    if (round >= ceil_log2(extent)) {
      round -= ceil_log2(extent);
      continue;
    }
    std::vector<int> a = coordinates(from, extents), b = coordinates(to, extents);
    const int distance = cyclic_distance(a[dimension], b[dimension], extent);
    a[dimension] = b[dimension];
    return a == b && distance == top_distance(extent) >> round;
  }
  return false;
}

int line_rounds(const Parameters& parameters) {
  int rounds = 0;
  for (const int extent : parameters.extents) rounds += ceil_log2(extent);
  return rounds;
}

}  // namespace vnode
