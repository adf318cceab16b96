#include "draw/prediction.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include <vnode/error.hpp>

#include "base/counted.hpp"
#include "options/simulation_options.hpp"

namespace vnode {

Simulation predicted(const Subject& subject, std::size_t bytes, const CostChoice& costs) {
  Simulation run =
      simulate(subject.schedule, {bytes, subject.message_blocks()}, {subject.topology, subject.routing},
               simulation_options(subject.ports(), subject.topology.nodes(), costs));
  run.timeline.title = fmt::format("{}, {}, predicted", subject.title, counted(bytes, "byte"));
  return run;
}

std::vector<LinkUse> measured_link_use(const Timeline& run, const Topology& topology, Routing routing) {
  if (run.nodes != topology.nodes())
    throw UsageError(fmt::format("a run of {} has no links among {}", counted(run.nodes, "node"),
                                 counted(topology.nodes(), "node")));
  std::map<int, std::vector<std::pair<double, double>>> times;  // by directed link
  for (const TimedMessage& message : run.messages)
    for (const int link : topology.route(message.from, message.to, routing))
      times[link].emplace_back(message.departure, message.end);
  std::vector<LinkUse> uses;
  for (auto& [link, spans] : times) {
    std::ranges::sort(spans);
    double seconds = 0, until = 0;
    for (const auto& [begin, end] : spans) {
      seconds += std::max(0.0, end - std::max(begin, until));
      until = std::max(until, end);
    }
    uses.push_back({link, seconds});
  }
  return uses;
}

}  // namespace vnode
