#include "stats/row_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/algorithms.hpp>
#include <vnode/lab/select.hpp>
#include <vnode/topology.hpp>

namespace vnode {
namespace {

std::optional<Collective> collective_called(const std::string& operation) {
  const auto all = algorithms();
  const auto found = std::ranges::find_if(
      all, [&](const Algorithm& algorithm) { return enums::name(algorithm.collective) == operation; });
  return found != all.end() ? std::optional(found->collective) : std::nullopt;
}

/// A message outside of collectives.
double message_seconds(double bytes, const CostModel& costs) {
  const double startups = 1 + std::min(bytes / std::max(static_cast<double>(costs.eager_to), 1.0), 1.0);
  return startups * costs.t_s + bytes * costs.t_w;
}

/// Of the algorithm that was used, also where the choice would not take it.
std::optional<double> seconds_of(const std::string& used, Demand demand, const Topology& topology,
                                 const CostModel& costs) try {
  demand.algorithm = used;
  return choose(demand, topology, costs).seconds;
} catch (const UsageError&) {
  return {};  // it is no algorithm of the registry: a schedule of the user's, or another version's
}

}  // namespace

bool RowPrediction::is_better() const {
  return seconds && best_seconds && *best_seconds * (1 + prediction_noise) < *seconds;
}

RowPrediction predicted_for(const CallStatistics& row, const GroupStatistics& group, CostModel costs) {
  RowPrediction prediction;
  costs.nodes_per_pu = group.nodes_per_pu;
  const bool message = row.operation == "send" || row.operation == "recv" || row.operation == "sendrecv";
  if (message) prediction.seconds = message_seconds(row.mean_bytes(), costs);
  const auto collective = collective_called(row.operation);
  const auto nodes = static_cast<int>(group.nodes.size());
  // Without an algorithm it is an exchange, or an all_to_all as one.
  if (!collective || row.algorithm.empty() || row.varying || nodes < 2) return prediction;
  // How long a shift takes, and which algorithm does it best, depends on by how much, which nobody has
  // counted.
  if (*collective == Collective::circular_shift) return prediction;
  const Topology topology(Shape::parse(group.topology), nodes);
  Demand demand;
  demand.collective = *collective;
  demand.bytes = static_cast<std::size_t>(std::llround(row.mean_bytes()));
  demand.deterministic = row.deterministic;
  demand.parameters.nodes = nodes;
  demand.parameters.extents = mesh_extents(topology);
  demand.parameters.keep_order = row.in_order || row.deterministic;
  demand.parameters.radix = row.radix;
  demand.parameters.segments = 0;
  if (!group.hierarchy.empty()) demand.parameters.hierarchy = Hierarchy::parse(group.hierarchy, nodes);
  demand.near = group.near;
  const Candidate best = choose(demand, topology, costs);
  prediction.seconds = seconds_of(row.algorithm, demand, topology, costs);
  prediction.best = best.algorithm->name;
  prediction.best_seconds = best.seconds;
  return prediction;
}

}  // namespace vnode
