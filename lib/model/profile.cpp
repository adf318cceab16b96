#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/latencies.hpp>
#include <vnode/model/message_costs.hpp>
#include <vnode/model/profile.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "base/enum_names.hpp"
#include "model/pair_class.hpp"

namespace vnode {
namespace {

constexpr EnumNames<PairClass, pair_class_count> class_names{
    {"same_core", "same_l2", "same_l3", "same_numa", "same_package", "across_packages", "across_machines"}};
constexpr EnumNames<Origin, 5> origin_names{{"given", "typical", "hwloc distances", "measured", "latencies"}};

/// The way of a cache line between two cores of one L3, as a rule.
constexpr double typical_line = 50e-9;

/// Says how much farther than two cores of one L3 the PUs of a class are, as a rule: a line takes 50 ns
/// there, half of it inside a core or an L2, and two to three times as long between sockets.
constexpr std::array<double, pair_class_count - 1> typical_ways{0.5, 0.5, 1, 1.5, 1.5, 2.5};

/// Typical costs of two cores that share an L3, as in vnode/model/select.hpp: t_s = L + 2 o.
constexpr double L = 100e-9, o = 25e-9, per_byte = 0.1e-9, combine = 0.03e-9, put = 0.03e-9;

/// Returns costs for a longer way of cache lines. A core has the same number of lines under way, so bytes
/// take as much longer.
PairCosts farther(PairCosts costs, double ways, Origin origin) {
  for (Quantity PairCosts::*part :
       {&PairCosts::t_s, &PairCosts::t_w, &PairCosts::L, &PairCosts::G, &PairCosts::t_put})
    costs.*part = {(costs.*part).value * ways, origin};
  return costs;
}

constexpr Quantity guess(double value) { return {value, Origin::typical}; }

PairCosts typical(PairClass pair_class) {
  if (pair_class == PairClass::across_machines) return typical_network();
  const PairCosts l3{.t_s = guess(L + 2 * o),
                     .t_w = guess(per_byte),
                     .L = guess(L),
                     .o = guess(o),
                     .g = guess(2 * o),
                     .G = guess(per_byte),
                     .t_op = guess(combine),
                     .t_put = guess(put)};
  return farther(l3, at(typical_ways, pair_class), Origin::typical);
}

/// Adds up relative latencies between two NUMA nodes, for the mean of a class.
struct Ways {
  double sum = 0;
  int count = 0;
};

/// Returns the latency from NUMA node `from` to the memory of `to`, relative to that to its own.
double relative_latency(const Machine& machine, std::size_t from, std::size_t to) {
  const auto own = static_cast<double>(machine.distances[from][from]);
  const double ways = own > 0 ? static_cast<double>(machine.distances[from][to]) / own : 0;
  constexpr double most = 100;
  if (!(ways >= 1 && ways <= most))
    throw UsageError(fmt::format(
        "the distances of {} make no sense: from NUMA node {} to {} it says {}, to its own memory {}; "
        "1 to {} times that would be right",
        machine.source, from, to, machine.distances[from][to], machine.distances[from][from], most));
  return ways;
}

/// Returns the costs of the farthest class inside a NUMA node that has any.
const PairCosts& inside_numa(const MachineProfile& profile) {
  for (auto at = static_cast<std::size_t>(PairClass::same_package); at-- > 0;)
    if (profile.pairs[at]) return *profile.pairs[at];
  return profile.costs(PairClass::same_numa);
}

/// Tells whether the costs of a class are more than guessed.
bool is_known(const MachineProfile& profile, PairClass pair_class) {
  const std::optional<PairCosts>& costs = at(profile.pairs, pair_class);
  return costs && (costs->t_s.origin == Origin::measured || costs->t_s.origin == Origin::given);
}

/// Returns for each NUMA node the first PU that it is nearest to, or -1.
std::vector<int> first_pus(const Machine& machine) {
  std::vector<int> first(machine.numas.size(), -1);
  for (std::size_t pu = machine.pus.size(); pu-- > 0;) at(first, machine.pus[pu].numa) = static_cast<int>(pu);
  return first;
}

/// Calls visit(a, b, class) for all pairs of different NUMA nodes of a machine that are nearest to PUs, with
/// the class of the first of these.
template <class Visit>
void each_pair(const Machine& machine, const Visit& visit) {
  const std::vector<PuPlace> places = pu_places(machine);
  const std::vector<int> first = first_pus(machine);
  for (std::size_t a = 0; a < first.size(); ++a)
    for (std::size_t b = 0; b < first.size(); ++b)
      if (a != b && first[a] >= 0 && first[b] >= 0 &&
          at(places, first[a]).machine == at(places, first[b]).machine)
        visit(a, b, pair_class(at(places, first[a]), at(places, first[b])));
}

/// Sums up the latencies of pairs of PUs near different NUMA nodes by class.
std::array<Ways, pair_class_count> mean_ways(const Machine& machine) {
  std::array<Ways, pair_class_count> ways;
  each_pair(machine, [&](std::size_t a, std::size_t b, PairClass between) {
    Ways& mean = at(ways, between);
    mean.sum += relative_latency(machine, a, b);
    ++mean.count;
  });
  return ways;
}

}  // namespace

std::string profile_machine(const Machine& machine) {
  return fmt::format("{}{}{}: {}, {}, {}, {}", machine.source, machine.model.empty() ? "" : ", ",
                     machine.model, counted(machine.packages.size(), "package"),
                     counted(machine.numas.size(), "NUMA node"), counted(machine.cores.size(), "core"),
                     counted(machine.pus.size(), "PU"));
}

std::span<const PairClass> pair_classes() { return class_names.values; }

std::string_view enums::name(PairClass pair_class) { return class_names[pair_class]; }

std::string_view enums::name(Origin origin) { return origin_names[origin]; }

PairClass pair_class(const PuPlace& a, const PuPlace& b) {
  if (a.machine != b.machine) return PairClass::across_machines;
  if (a.core == b.core) return PairClass::same_core;
  if (a.l2 >= 0 && a.l2 == b.l2) return PairClass::same_l2;
  if (a.l3 >= 0 && a.l3 == b.l3) return PairClass::same_l3;
  if (a.package != b.package) return PairClass::across_packages;
  return a.numa == b.numa ? PairClass::same_numa : PairClass::same_package;
}

PairClass pair_class(const Machine& machine, int a, int b) {
  const int there = static_cast<int>(machine.pus.size());
  for (const int pu : {a, b})
    if (pu < 0 || pu >= there)
      throw UsageError(fmt::format("there is no PU {}: {} has PUs 0 to {}", pu, machine.source, there - 1));
  const std::vector<PuPlace> places = pu_places(machine);
  return pair_class(at(places, a), at(places, b));
}

std::vector<ClassExample> class_examples(const Machine& machine) {
  std::array<std::optional<ClassExample>, pair_class_count> first;
  const std::vector<PuPlace> places = pu_places(machine);
  const std::vector<int> pus = machine.allowed_pus();
  for (std::size_t i = 0; i < pus.size(); ++i)
    for (std::size_t j = i + 1; j < pus.size(); ++j) {
      const PairClass found = pair_class(at(places, pus[i]), at(places, pus[j]));
      auto& example = at(first, found);
      if (!example) example = {found, pus[i], pus[j]};
      if (found == PairClass::across_machines) break;  // so are all that follow
    }
  std::vector<ClassExample> examples;
  for (const auto& example : first)
    if (example) examples.push_back(*example);
  return examples;
}

CostModel PairCosts::cost_model() const {
  return {.t_s = t_s.value,
          .t_w = t_w.value,
          .t_op = t_op.value,
          .t_put = t_put.value,
          .o = o.value,
          .eager_to = static_cast<std::size_t>(eager_to.value),
          .shared_from = static_cast<std::size_t>(shared_from.value)};
}

const PairCosts& MachineProfile::costs(PairClass pair_class) const {
  const auto own = static_cast<std::size_t>(pair_class);
  constexpr auto network = static_cast<std::size_t>(PairClass::across_machines);
  if (own == network) return pairs[own] ? *pairs[own] : typical_network();
  for (std::size_t farther = own; farther < network; ++farther)
    if (pairs[farther]) return *pairs[farther];
  for (std::size_t nearer = own; nearer-- > 0;)
    if (pairs[nearer]) return *pairs[nearer];
  throw UsageError(
      fmt::format("the profile {} has no costs: it needs those of at least one pair class", name));
}

CostModel MachineProfile::cost_model(PairClass pair_class) const {
  CostModel model = costs(pair_class).cost_model();
  model.shared_link = pair_class == PairClass::across_machines;
  return model;
}

std::function<Hockney(Rank, Rank)> pair_costs(const MachineProfile& profile, const Machine& machine,
                                              std::span<const int> pus) {
  struct Known {
    std::vector<PuPlace> places;  // by node
    std::vector<int> numbers;     // the system's, of its PU
    std::array<Hockney, pair_class_count> costs;
    std::optional<Latencies> latencies;
    std::array<double, pair_class_count> medians{};
  };
  const auto known = std::make_shared<Known>();
  const std::vector<PuPlace> places = pu_places(machine);
  for (const int pu : pus) {
    known->places.push_back(at(places, pu));
    known->numbers.push_back(at(machine.pus, pu).os_index);
  }
  for (const PairClass one : pair_classes()) at(known->costs, one) = profile.costs(one).hockney();
  if (profile.latencies) {
    known->latencies = profile.latencies;
    for (const ClassExample& example : median_examples(machine, *profile.latencies))
      at(known->medians, example.pair_class) = profile.latencies->between(
          at(machine.pus, example.a).os_index, at(machine.pus, example.b).os_index);
  }
  return [known](Rank a, Rank b) {
    for (const Rank rank : {a, b})
      if (rank < 0 || static_cast<std::size_t>(rank) >= known->places.size())
        throw UsageError(fmt::format("there is no node {}: {} nodes are on PUs", rank, known->places.size()));
    const PairClass found = pair_class(at(known->places, a), at(known->places, b));
    Hockney costs = at(known->costs, found);
    const double way =
        known->latencies ? known->latencies->between(at(known->numbers, a), at(known->numbers, b)) : 0;
    if (way <= 0 || at(known->medians, found) <= 0) return costs;
    const double ways = way / at(known->medians, found);
    return Hockney{costs.t_s * ways, costs.t_w * ways};
  };
}

CostModel cost_model(const MachineProfile& profile, const Machine& machine, std::span<const int> pus) {
  if (pus.empty()) throw UsageError("a team without nodes has no costs");
  const std::set<int> used(pus.begin(), pus.end());
  PairClass farthest = pair_class(machine, *used.begin(), *used.rbegin());  // and both are there
  const std::vector<PuPlace> places = pu_places(machine);
  for (const int a : used)
    for (const int b : used) farthest = std::max(farthest, pair_class(at(places, a), at(places, b)));
  CostModel costs = profile.cost_model(farthest);
  costs.nodes_per_pu = static_cast<double>(pus.size()) / static_cast<double>(used.size());
  return costs;
}

// Minimises sum((t_s + n t_w) / t - 1)^2: with x = 1 / t and y = n / t a least squares problem without a
// constant. Where the minimum lies beyond 0, the one on that border is it, since the sum is convex.
Hockney fitted_hockney(std::span<const MessageTime> times) {
  double xx = 0, xy = 0, yy = 0, x_sum = 0, y_sum = 0;
  for (const MessageTime& one : times) {
    if (!(one.seconds > 0) || !std::isfinite(one.seconds))
      throw UsageError("the time of a message is more than 0 seconds");
    const double x = 1 / one.seconds, y = static_cast<double>(one.bytes) / one.seconds;
    xx += x * x, xy += x * y, yy += y * y, x_sum += x, y_sum += y;
  }
  const auto other = [&](const MessageTime& one) { return one.bytes != times.front().bytes; };
  if (std::ranges::none_of(times, other))
    throw UsageError("t_s and t_w follow from the times of messages of at least two lengths");
  const double determinant = xx * yy - xy * xy;
  const Hockney best{(x_sum * yy - y_sum * xy) / determinant, (y_sum * xx - x_sum * xy) / determinant};
  if (best.t_s < 0) return {0, y_sum / yy};
  if (best.t_w < 0) return {x_sum / xx, 0};
  return best;
}

PairCosts network(double t_s, double t_w, double work, Origin origin) {
  const Quantity byte{t_w, origin}, message{work, origin};
  return {.t_s = {t_s, origin},
          .t_w = byte,
          .L = {std::max(t_s - 2 * work, 0.0), origin},
          .o = message,
          .g = message,
          .G = byte,
          .t_op = guess(combine),
          .t_put = byte};
}

const PairCosts& typical_network() {
  static const PairCosts ethernet = network(15e-6, 1 / 1.2e9, 3e-6, Origin::typical);
  return ethernet;
}

MachineProfile typical_profile(const Machine& machine) {
  MachineProfile profile{.name = "typical", .machine = profile_machine(machine)};
  profile.banks.resize(machine.numas.size());
  for (const ClassExample& example : class_examples(machine))
    at(profile.pairs, example.pair_class) = typical(example.pair_class);
  const auto known = [](const std::optional<PairCosts>& costs) { return costs.has_value(); };
  const auto inside = std::span(profile.pairs).first<static_cast<std::size_t>(PairClass::across_machines)>();
  if (std::ranges::none_of(inside, known)) profile.pairs.front() = typical(PairClass::same_core);
  return profile;
}

MachineProfile with_distances(const MachineProfile& base, const Machine& machine) {
  if (machine.distances.empty())
    throw UsageError(
        fmt::format("{} has no distances between NUMA nodes: no profile follows from it", machine.source));
  const auto complete = [&](const auto& row) { return row.size() == machine.numas.size(); };
  if (!complete(machine.distances) || !std::ranges::all_of(machine.distances, complete))
    throw UsageError(
        fmt::format("the distances of {} make no sense: {} NUMA nodes need as many rows and columns",
                    machine.source, machine.numas.size()));
  const std::array<Ways, pair_class_count> ways = mean_ways(machine);
  MachineProfile profile = typical_profile(machine);
  profile.name = base.name;
  if (base.banks.size() == profile.banks.size()) profile.banks = base.banks, profile.links = base.links;
  const PairCosts& inside = inside_numa(base);
  for (const PairClass one : pair_classes()) {
    const auto at = static_cast<std::size_t>(one);
    auto& costs = profile.pairs[at];
    if (!costs) continue;
    if (one > PairClass::same_numa && ways[at].count > 0 && !is_known(base, one))
      costs = farther(inside, ways[at].sum / ways[at].count, Origin::distances);
    else
      costs = base.costs(one);
  }
  return profile;
}

std::vector<ClassExample> median_examples(const Machine& machine, const Latencies& latencies) {
  using Pair = std::pair<double, ClassExample>;
  std::array<std::vector<Pair>, pair_class_count> pairs;
  const std::vector<PuPlace> places = pu_places(machine);
  const std::vector<int> pus = machine.allowed_pus();
  const int last = std::ranges::max(machine.pus, {}, &Pu::os_index).os_index;
  if (last >= 0 && latencies.pus() > last + 1)
    throw UsageError(fmt::format("the matrix of latencies is of {}, and {} has {}: it is another machine's",
                                 counted(static_cast<std::size_t>(latencies.pus()), "PU"), machine.source,
                                 last + 1));
  for (const int pu : pus)
    if (const int number = at(machine.pus, pu).os_index; number < 0 || number >= latencies.pus())
      throw UsageError(fmt::format("the matrix of latencies is of {}, but {} has one with the number {}",
                                   counted(static_cast<std::size_t>(latencies.pus()), "PU"), machine.source,
                                   number));
  for (std::size_t i = 0; i < pus.size(); ++i)
    for (std::size_t j = i + 1; j < pus.size(); ++j) {
      const PairClass found = pair_class(at(places, pus[i]), at(places, pus[j]));
      const double seconds =
          latencies.between(at(machine.pus, pus[i]).os_index, at(machine.pus, pus[j]).os_index);
      if (seconds > 0) at(pairs, found).push_back({seconds, {found, pus[i], pus[j]}});
    }
  std::vector<ClassExample> examples;
  for (std::vector<Pair>& of_class : pairs) {
    if (of_class.empty()) continue;
    const auto middle = of_class.begin() + (std::ssize(of_class) - 1) / 2;
    std::ranges::nth_element(of_class, middle, {}, &Pair::first);
    examples.push_back(middle->second);
  }
  return examples;
}

MachineProfile with_latencies(const MachineProfile& base, const Machine& machine,
                              const Latencies& latencies) {
  MachineProfile profile = typical_profile(machine);
  profile.name = base.name;
  if (base.banks.size() == profile.banks.size()) profile.banks = base.banks, profile.links = base.links;
  for (auto& costs : profile.pairs)
    if (costs) {
      const auto one = static_cast<PairClass>(&costs - profile.pairs.data());
      if (is_known(base, one)) costs = base.costs(one);
    }
  for (const ClassExample& example : median_examples(machine, latencies))
    if (!is_known(base, example.pair_class))
      at(profile.pairs, example.pair_class) = farther(
          typical(PairClass::same_l3),
          latencies.between(at(machine.pus, example.a).os_index, at(machine.pus, example.b).os_index) /
              typical_line,
          Origin::latencies);
  profile.latencies = latencies;
  return profile;
}

NumaDistances numa_distances(const MachineProfile& profile, const Machine& machine) {
  const NumaDistances known = numa_distances(machine);
  const auto measured = [](const auto& costs) {
    return costs && costs->L.origin == Origin::measured && costs->L.value > 0;
  };
  if (known.source != DistanceSource::hops || std::ranges::none_of(profile.pairs, measured)) return known;
  const PairCosts& inside = inside_numa(profile);
  if (!measured(std::optional(inside))) return known;
  NumaDistances result = known;
  bool complete = true;
  each_pair(machine, [&](std::size_t a, std::size_t b, PairClass pair_class) {
    const auto& between = at(profile.pairs, pair_class);
    complete = complete && measured(between);
    if (!complete) return;
    result.source = DistanceSource::measured;
    result.values[a][b] =
        std::max<std::uint64_t>(10, static_cast<std::uint64_t>(10 * between->L.value / inside.L.value + 0.5));
  });
  return complete ? result : known;
}

}  // namespace vnode
