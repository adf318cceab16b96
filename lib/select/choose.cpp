#include "select/choose.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <vnode/error.hpp>

namespace vnode {
namespace {

bool carried_by(const Algorithm& algorithm, std::string_view family) {
  return std::ranges::any_of(algorithm.carriers,
                             [&](const Carrier& carrier) { return carrier.family == family; });
}

}

const Algorithm& cheapest(Collective collective, const Parameters& parameters, const Topology& topology,
                          std::size_t bytes, const CostModel& model) {
  const Algorithm* best = nullptr;
  bool best_carried = false;
  double best_time = 0;
  for (const Algorithm& candidate : algorithms()) {
    if (candidate.collective != collective || why_not(candidate, parameters)) continue;
    const bool carried = carried_by(candidate, name(topology.family()));
    const double time = model.seconds(candidate.cost(parameters), static_cast<double>(bytes));
    if (best != nullptr && (carried < best_carried || (carried == best_carried && time >= best_time)))
      continue;
    best = &candidate;
    best_carried = carried;
    best_time = time;
  }
  if (best == nullptr)
    throw UsageError(fmt::format("no {} algorithm can run on {} nodes", name(collective), parameters.nodes));
  return *best;
}

}
