#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <optional>

#include <vnode/lab/mutants.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/model/verify.hpp>

#include "interconnect/link_loads.hpp"

namespace vnode {
namespace {

std::vector<Shape> shapes(Family family, int nodes, const std::vector<int>& extents) {
  if (family != Family::mesh && family != Family::torus) return {Shape(family)};
  if (extents.size() > 1) return {Shape(family, extents)};
  std::vector<Shape> all;
  for (int rows = 1; rows <= nodes; ++rows)
    if (nodes % rows == 0) all.emplace_back(family, std::array{rows, nodes / rows});
  return all;
}

// The topologies on which an algorithm promises load 1, by the routing it names. Meshes: those of the
// algorithm's own extents, or all of two dimensions.
std::vector<LinkLoads> carriers(const Algorithm& algorithm, int nodes, const std::vector<int>& extents) {
  std::vector<LinkLoads> all;
  for (const Carrier& carrier : algorithm.carriers) {
    const Family family = parse_family(carrier.family);
    const bool binary = family == Family::hypercube || family == Family::tree;
    if (binary && !std::has_single_bit(static_cast<unsigned>(nodes))) continue;
    for (const Shape& shape : shapes(family, nodes, extents)) {
      const Topology topology(shape, nodes);
      all.emplace_back(topology,
                       carrier.routing.empty() ? topology.default_routing() : parse_routing(carrier.routing));
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
  if (parameters.hierarchy) text += fmt::format(", domains {}", parameters.hierarchy.text());
  if (parameters.keep_order) text += ", in rank order";
  return text;
}

Promises promises(const Algorithm& algorithm, const Parameters& parameters) {
  return {
      .ports = ports(algorithm, parameters),
      .rounds = rounds(algorithm, parameters),
      .transfers = algorithm.transfers.value(parameters),
      .cost = algorithm.cost(parameters),
      .peers = [&](int round, Rank from, Rank to) { return algorithm.peers(parameters, round, from, to); },
      .in_order = parameters.keep_order,
      .same_bits = algorithm.collective == Collective::all_reduce};
}

using Ways = oneapi::tbb::blocked_range<std::size_t>;

// One algorithm on one number of nodes. Pieces of the ways to call it are tried in parallel (a body of
// parallel_reduce), so that an algorithm with many ways keeps all cores busy.
class Trial {
 public:
  Trial(const Algorithm& algorithm, const std::vector<Parameters>& ways, bool with_mutants)
      : algorithm_(algorithm), ways_(ways), with_mutants_(with_mutants) {}
  Trial(const Trial& other, oneapi::tbb::split) : Trial(other.algorithm_, other.ways_, other.with_mutants_) {}

  void operator()(const Ways& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) check(ways_[i]);
  }

  // Takes over what another piece found out.
  void join(const Trial& other) {
    result_.checks += other.result_.checks;
    result_.mutants += other.result_.mutants;
    result_.failed += other.result_.failed;
    for (const std::string& failure : other.result_.failures) keep(failure);
  }

  const SweepResult& result() const { return result_; }

 private:
  void check(const Parameters& parameters) {
    Schedule schedule = algorithm_.build(parameters);
    const Contract wanted = contract(algorithm_.collective, parameters, schedule.blocks());
    const Promises promised = promises(algorithm_, parameters);
    ++result_.checks;
    const std::vector<std::string> findings = verify(schedule, wanted, promised);
    for (const std::string& finding : findings) fail(parameters, finding);
    if (!findings.empty()) return;  // neither loads nor mutants of a wrong schedule say anything
    check_loads(parameters, schedule);
    if (with_mutants_) check_mutants(parameters, verify_mutants(schedule, wanted, promised));
    measured_ = std::move(schedule);
  }

  void check_mutants(const Parameters& parameters, const MutantFindings& findings) {
    result_.mutants += findings.mutants;
    for (const std::string& mistake : findings.survivors)
      fail(parameters, "this mutant is accepted: " + mistake);
  }

  void check_loads(const Parameters& parameters, const Schedule& schedule) {
    if (carriers_.empty() || parameters.extents != extents_) {
      extents_ = parameters.extents;
      carriers_ = carriers(algorithm_, parameters.nodes, extents_);
    } else if (schedule == measured_) {
      return;
    }
    for (LinkLoads& carrier : carriers_) {
      ++result_.checks;
      const int load = greatest_load(carrier.of(schedule));
      if (load > 1)
        fail(parameters, fmt::format("load {} on {} by {}, load 1 is promised", load,
                                     carrier.topology().text(), enums::name(carrier.routing())));
    }
  }

  void fail(const Parameters& parameters, const std::string& reason) {
    ++result_.failed;
    keep(spelled(parameters) + ": " + reason);
  }
  void keep(const std::string& failure) {
    constexpr std::size_t enough = 10;
    if (result_.failures.size() < enough) result_.failures.push_back(failure);
  }

  const Algorithm& algorithm_;
  const std::vector<Parameters>& ways_;
  bool with_mutants_;
  SweepResult result_;
  std::vector<int> extents_;
  std::vector<LinkLoads> carriers_;   // of these extents
  std::optional<Schedule> measured_;  // the last one on them
};

int most_mutated_nodes(const Algorithm& algorithm, const SweepOptions& options) {
  const bool square = algorithm.collective == Collective::all_to_all;
  return square ? std::min(options.mutant_nodes, options.square_mutant_nodes) : options.mutant_nodes;
}

}  // namespace

int most_nodes(const Algorithm& algorithm, const SweepOptions& options) {
  if (algorithm.collective == Collective::all_to_all)
    return std::min(options.max_nodes, options.square_nodes);
  return options.max_nodes < usual_sweep ? options.max_nodes
                                         : std::max(options.max_nodes, algorithm.sweep_to);
}

std::vector<SweepResult> sweep(std::span<const Algorithm> algorithms, const SweepOptions& options) {
  int most = 0;
  for (const Algorithm& algorithm : algorithms) most = std::max(most, most_nodes(algorithm, options));
  const auto sizes = static_cast<std::size_t>(most);
  std::vector<SweepResult> trials(algorithms.size() * sizes);
  // The largest p of all algorithms first: they take longest.
  const auto run = [&](std::size_t i) {
    const Algorithm& algorithm = algorithms[i % algorithms.size()];
    const int nodes = static_cast<int>(sizes - i / algorithms.size());
    if (nodes > most_nodes(algorithm, options)) return;
    const std::vector<Parameters> ways = every_way(algorithm, nodes);
    Trial trial(algorithm, ways, nodes <= most_mutated_nodes(algorithm, options));
    oneapi::tbb::parallel_reduce(Ways(0, ways.size(), 16), trial);
    trials[i] = trial.result();
  };
  oneapi::tbb::parallel_for(std::size_t{0}, trials.size(), run, oneapi::tbb::simple_partitioner{});
  std::vector<SweepResult> results(algorithms.size());
  for (std::size_t a = 0; a < algorithms.size(); ++a) {
    results[a].algorithm = algorithms[a].name;
    for (std::size_t i = trials.size() - algorithms.size() + a; i < trials.size(); i -= algorithms.size()) {
      results[a].checks += trials[i].checks;
      results[a].mutants += trials[i].mutants;
      results[a].failed += trials[i].failed;
      results[a].failures.insert(results[a].failures.end(), trials[i].failures.begin(),
                                 trials[i].failures.end());
    }
  }
  return results;
}

}  // namespace vnode
