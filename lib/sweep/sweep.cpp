#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <vnode/sweep.hpp>
#include <vnode/verify.hpp>

#include "sweep/factorisations.hpp"

namespace vnode {

namespace {

// A topology on which an algorithm promises load 1, with the routing it names.
struct Interconnect {
  Topology topology;
  Routing routing;
};

std::vector<Shape> shapes(Family family, int nodes, const std::vector<int>& extents) {
  if (family != Family::mesh && family != Family::torus) return {Shape(family)};
  if (extents.size() > 1) return {Shape(family, extents)};
  std::vector<Shape> all;
  for (const std::vector<int>& factors : factorisations(nodes))
    if (factors.size() == 2) all.emplace_back(family, factors);
  return all;
}

// Meshes: those of the algorithm's own extents, or all of two dimensions.
std::vector<Interconnect> interconnects(const Algorithm& algorithm, int nodes,
                                        const std::vector<int>& extents) {
  std::vector<Interconnect> all;
  for (const Carrier& carrier : algorithm.carriers) {
    const Family family = parse_family(carrier.family);
    const bool binary = family == Family::hypercube || family == Family::tree;
    if (binary && !std::has_single_bit(static_cast<unsigned>(nodes))) continue;
    for (const Shape& shape : shapes(family, nodes, extents)) {
      const Topology topology(shape, nodes);
      all.push_back(
          {topology, carrier.routing.empty() ? topology.default_routing() : parse_routing(carrier.routing)});
    }
  }
  return all;
}

std::string spelled(const Parameters& parameters) {
  std::string text = fmt::format("p = {}, root {}", parameters.nodes, parameters.root);
  if (parameters.shift != 0) text += fmt::format(", shift {}", parameters.shift);
  if (parameters.segments != 1) text += fmt::format(", {} segments", parameters.segments);
  if (parameters.radix != 2) text += fmt::format(", radix {}", parameters.radix);
  if (!parameters.extents.empty()) text += fmt::format(", extents {}", fmt::join(parameters.extents, "x"));
  if (!parameters.dimension_order.empty())
    text += fmt::format(", dimensions {}", fmt::join(parameters.dimension_order, ","));
  if (parameters.keep_order) text += ", in rank order";
  return text;
}

Promises promises(const Algorithm& algorithm, const Parameters& parameters) {
  return {
      .ports = algorithm.ports,
      .rounds = algorithm.rounds.value(parameters),
      .transfers = algorithm.transfers.value(parameters),
      .cost = algorithm.cost(parameters),
      .peers = [&](int round, Rank from, Rank to) { return algorithm.peers(parameters, round, from, to); },
      .in_order = parameters.keep_order};
}

// One algorithm on one number of nodes.
class Trial {
 public:
  Trial(const Algorithm& algorithm, int nodes, bool with_mutants, SweepResult& result)
      : algorithm_(algorithm), result_(result) {
    for (const Parameters& parameters : every_way(algorithm, nodes)) {
      if (interconnects_.empty() || parameters.extents != extents_) {
        extents_ = parameters.extents;
        interconnects_ = interconnects(algorithm, nodes, extents_);
      }
      check(parameters, with_mutants);
    }
  }

 private:
  void check(const Parameters& parameters, bool with_mutants) {
    const Schedule schedule = algorithm_.build(parameters);
    const Contract wanted = contract(algorithm_.collective, parameters, schedule.blocks());
    const Promises promised = promises(algorithm_, parameters);
    ++result_.checks;
    const std::vector<std::string> findings = verify(schedule, wanted, promised);
    for (const std::string& finding : findings) fail(parameters, finding);
    if (!findings.empty()) return;  // neither loads nor mutants of a wrong schedule say anything
    for (const auto& [topology, routing] : interconnects_) {
      ++result_.checks;
      const int load = greatest_load(link_loads(schedule, topology, routing));
      if (load > 1)
        fail(parameters,
             fmt::format("load {} on {} by {}, load 1 is promised", load, topology.text(), name(routing)));
    }
    if (!with_mutants) return;
    for (const Mutant& mutant : mutants(schedule)) {
      ++result_.mutants;
      if (verify(mutant.schedule, wanted, promised).empty())
        fail(parameters, "this mutant is accepted: " + mutant.mistake);
    }
  }

  void fail(const Parameters& parameters, const std::string& reason) {
    constexpr std::size_t enough = 10;
    if (result_.failures.size() < enough) result_.failures.push_back(spelled(parameters) + ": " + reason);
  }

  const Algorithm& algorithm_;
  SweepResult& result_;
  std::vector<int> extents_;
  std::vector<Interconnect> interconnects_;
};

}  // namespace

std::vector<SweepResult> sweep(std::span<const Algorithm> algorithms, const SweepOptions& options) {
  const auto sizes = static_cast<std::size_t>(std::max(options.max_nodes, 0));
  std::vector<SweepResult> trials(algorithms.size() * sizes);
  // The largest p of all algorithms first: they take longest.
  const auto run = [&](std::size_t i) {
    const int nodes = static_cast<int>(sizes - i / algorithms.size());
    const bool square = algorithms[i % algorithms.size()].collective == Collective::all_to_all;
    if (square && nodes > options.square_nodes) return;
    Trial(algorithms[i % algorithms.size()], nodes, nodes <= options.mutant_nodes, trials[i]);
  };
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, trials.size(), 1),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t i = range.begin(); i < range.end(); ++i) run(i);
                    });
  std::vector<SweepResult> results(algorithms.size());
  for (std::size_t a = 0; a < algorithms.size(); ++a) {
    results[a].algorithm = algorithms[a].name;
    for (std::size_t i = trials.size() - algorithms.size() + a; i < trials.size(); i -= algorithms.size()) {
      results[a].checks += trials[i].checks;
      results[a].mutants += trials[i].mutants;
      results[a].failures.insert(results[a].failures.end(), trials[i].failures.begin(),
                                 trials[i].failures.end());
    }
  }
  return results;
}

}  // namespace vnode
