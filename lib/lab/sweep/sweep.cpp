#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <numeric>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <optional>
#include <utility>
#include <vector>

#include <vnode/hierarchy.hpp>
#include <vnode/lab/mutants.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/model/verify.hpp>

#include "base/at.hpp"
#include "building_blocks/needs.hpp"
#include "interconnect/link_loads.hpp"

namespace vnode {
namespace {

using Domains = Hierarchy::Domains;

// domain(rank) for every rank; numbers that nobody has are no domains.
template <class Domain>
Domains divided(int nodes, const Domain& domain) {
  Domains domains(static_cast<std::size_t>(nodes));
  for (Rank rank = 0; rank < nodes; ++rank) at(domains, domain(rank)).push_back(rank);
  std::erase_if(domains, [](const std::vector<Rank>& ranks) { return ranks.empty(); });
  return domains;
}

std::vector<std::vector<Domains>> levels_of(int nodes) {
  std::vector<std::vector<Domains>> all;
  for (int size = 1; size <= nodes; ++size) {
    const Domains consecutive = divided(nodes, [=](Rank rank) { return rank / size; });
    if (nodes % size != 0) {
      // The last is smaller: of all sizes where nodes are few, of some where they are many.
      if (nodes <= 12 || size == 3 || size == nodes / 2 + 1) all.push_back({consecutive});
      continue;
    }
    all.push_back({consecutive});
    if (size == 1 || size == nodes) continue;
    all.push_back({divided(nodes, [=](Rank rank) { return rank % (nodes / size); })});
    for (int inner = 2; inner < size; ++inner) {
      // Where nodes are many, only the least and the greatest inner size are tried.
      if (size % inner != 0 || (nodes > 16 && inner > 2 && 2 * inner != size)) continue;
      all.push_back({consecutive, divided(nodes, [=](Rank rank) { return rank / inner; })});
      for (int innermost = 1; innermost < inner; ++innermost)
        if (inner % innermost == 0 && (nodes <= 16 || (2 * size == nodes && 2 * innermost == inner)))
          all.push_back({consecutive, divided(nodes, [=](Rank rank) { return rank / inner; }),
                         divided(nodes, [=](Rank rank) { return rank / innermost; })});
    }
  }
  if (nodes < 4) return all;
  // One, then two, then three ...; the first alone; the ends together; two levels of unequal domains.
  const auto growing = [](Rank rank) {
    int domain = 0;
    for (int first = 0; first + domain < rank; ++domain) first += domain + 1;
    return domain;
  };
  all.push_back({divided(nodes, growing)});
  all.push_back({divided(nodes, [](Rank rank) { return rank > 0; })});
  all.push_back({divided(nodes, [=](Rank rank) { return rank > 0 && rank < nodes - 1; })});
  all.push_back({divided(nodes, [=](Rank rank) { return rank > nodes / 2; }),
                 divided(nodes, [=](Rank rank) { return rank > nodes / 2 ? nodes / 2 + 1 : rank / 2; })});
  if (nodes < 8) return all;
  // Three levels: of unequal domains, and round robin.
  const auto halves = [=](int size, int upper_size) {
    const int upper = nodes / 2 + 1;  // the first of the upper half
    return divided(
        nodes, [=](Rank rank) { return rank < upper ? rank / size : upper + (rank - upper) / upper_size; });
  };
  all.push_back({halves(nodes, nodes), halves(4, nodes), halves(2, 3)});
  if (nodes % 8 == 0)
    all.push_back({divided(nodes, [](Rank rank) { return rank % 2; }),
                   divided(nodes, [](Rank rank) { return rank % 4; }),
                   divided(nodes, [](Rank rank) { return rank % 8; })});
  return all;
}

/// Returns every way to divide `nodes` ranks into equal domains, consecutive and round robin, and some
/// unequal ones: consecutive, and mixed up; some on two and on three levels; in both forms; some with other
/// algorithms than the usual.
std::vector<Hierarchy> hierarchies(int nodes) {
  using Names = std::pair<const char*, const char*>;
  static constexpr Names usual{"", ""};
  static constexpr std::array others{Names{"direct", ""},
                                     Names{"linear", "linear"},
                                     Names{"pipeline", "pipeline"},
                                     Names{"splitting_ring", "binomial"},
                                     Names{"linear+ring", "rabenseifner"},
                                     Names{"ring", "ring"}};
  // Not all are good for all collectives. With few nodes all, with more one for each shape in turn, with many
  // nodes the usual ones alone.
  const auto names_of = [=](std::size_t shape) {
    std::vector<Names> some{usual};
    if (nodes <= 6)
      some.insert(some.end(), others.begin(), others.end());
    else if (nodes <= 24 || nodes % 16 == 0)
      some.push_back(others[(shape + static_cast<std::size_t>(nodes)) % others.size()]);
    return some;
  };
  std::vector<Hierarchy> all;
  const std::vector<std::vector<Domains>> shapes = levels_of(nodes);
  for (std::size_t shape = 0; shape < shapes.size(); ++shape)
    for (const HierarchyForm form : {HierarchyForm::leaders, HierarchyForm::slices})
      for (const auto& [inner, outer] : names_of(shape))
        all.emplace_back(shapes[shape], Hierarchy::Ways{inner, outer, form});
  return all;
}

// Returns all orders of d dimensions, or the d rotations of the natural one if they are too many.
std::vector<std::vector<int>> dimension_orders(int nodes) {
  std::vector<int> order;
  for (int dimension = 0; 1 << dimension < nodes; ++dimension) order.push_back(dimension);
  std::vector<std::vector<int>> orders{{}};
  if (nodes <= 16) {
    do orders.push_back(order);
    while (std::ranges::next_permutation(order).found);
  } else {
    for (std::size_t i = 0; i < order.size(); ++i) {
      std::rotate(order.begin(), order.begin() + 1, order.end());
      orders.push_back(order);
    }
  }
  return orders;
}

// Returns all shifts of one turn, one back, and more than a turn.
std::vector<int> every_shift(int nodes) {
  std::vector<int> shifts(static_cast<std::size_t>(nodes));
  std::iota(shifts.begin(), shifts.end(), 0);
  shifts.push_back(-1);
  shifts.push_back(2 * nodes + 1);
  return shifts;
}

// Returns all roots; where they are too many, the first, the last and two between.
std::vector<Rank> roots(const Algorithm& algorithm, int nodes, int all_to) {
  if (!has_root(algorithm.collective)) return {0};
  if (nodes > all_to) return {0, 1, nodes / 2, nodes - 1};
  std::vector<Rank> all(static_cast<std::size_t>(nodes));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Returns every ordered way to write `nodes` as a product of two factors, and up to 27 nodes of three.
std::vector<std::vector<int>> factorisations(int nodes) {
  std::vector<std::vector<int>> all;
  for (int rows = 1; rows <= nodes; ++rows) {
    if (nodes % rows != 0) continue;
    all.push_back({rows, nodes / rows});
    if (nodes > 27) continue;
    for (int columns = 1; columns <= nodes / rows; ++columns)
      if (nodes / rows % columns == 0) all.push_back({rows, columns, nodes / rows / columns});
  }
  return all;
}

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

// Takes over what another result says.
void add(SweepResult& all, const SweepResult& more, std::size_t most_failures) {
  all.checks += more.checks;
  all.mutants += more.mutants;
  all.failed += more.failed;
  for (const std::string& failure : more.failures)
    if (all.failures.size() < most_failures) all.failures.push_back(failure);
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
  void join(const Trial& other) { add(result_, other.result_, enough); }

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
    if (result_.failures.size() < enough) result_.failures.push_back(spelled(parameters) + ": " + reason);
  }

  static constexpr std::size_t enough = 10;  // failures whose sentences are kept

  const Algorithm& algorithm_;
  const std::vector<Parameters>& ways_;
  bool with_mutants_;
  SweepResult result_;
  std::vector<int> extents_;
  std::vector<LinkLoads> carriers_;   // of these extents
  std::optional<Schedule> measured_;  // the last one on them
};

/// Returns whether there are p * p blocks.
bool is_square(const Algorithm& algorithm) {
  return algorithm.collective == Collective::all_to_all || needs(algorithm, Need::few_nodes);
}

int most_mutated_nodes(const Algorithm& algorithm, const SweepOptions& options) {
  return is_square(algorithm) ? std::min(options.mutant_nodes, options.square_mutant_nodes)
                              : options.mutant_nodes;
}

}  // namespace

std::vector<Parameters> every_way(const Algorithm& algorithm, int nodes) {
  const bool shifts = algorithm.collective == Collective::circular_shift;
  const bool reads_extents = needs(algorithm, Need::extents);
  const std::vector<std::vector<int>> none{{}};
  const bool reads_hierarchy = needs(algorithm, Need::domains);
  // There are many hierarchies.
  const std::vector<int> several_segments = reads_hierarchy ? std::vector{1, 3} : std::vector{1, 2, 3, 6};
  const std::vector<int> zero{0}, one{1}, binary{2}, several_radices{2, 3, 4, 7};
  const std::vector<Rank> some_roots =
      roots(algorithm, nodes, reads_hierarchy ? usual_sweep / 2 : usual_sweep);
  std::vector<Parameters> ways;
  for (const Hierarchy& hierarchy : reads_hierarchy ? hierarchies(nodes) : std::vector<Hierarchy>{{}})
    for (const std::vector<int>& extents : reads_extents ? factorisations(nodes) : none)
      for (const std::vector<int>& order : algorithm.dimension_order ? dimension_orders(nodes) : none)
        for (const int segments : algorithm.segments ? several_segments : one)
          for (const int radix : algorithm.radix ? several_radices : binary)
            for (const Rank root : some_roots)
              for (const int shift : shifts ? every_shift(nodes) : zero)
                for (const bool keep_order : {false, true}) {
                  if (keep_order && !combines(algorithm.collective)) continue;
                  Parameters way{nodes, root, extents, order, keep_order, shift, segments, radix, hierarchy};
                  if (!why_not(algorithm, way)) ways.push_back(std::move(way));
                }
  return ways;
}

int most_nodes(const Algorithm& algorithm, const SweepOptions& options) {
  if (is_square(algorithm)) return std::min(options.max_nodes, options.square_nodes);
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
    for (std::size_t i = trials.size() - algorithms.size() + a; i < trials.size(); i -= algorithms.size())
      add(results[a], trials[i], std::string::npos);
  }
  return results;
}

}  // namespace vnode
