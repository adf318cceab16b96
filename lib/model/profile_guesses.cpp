#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/profile.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "model/pair_class.hpp"

namespace vnode {
namespace {

/// Says how much farther than two cores of one L3 the PUs of a class are, as a rule: the way of a cache line
/// is about 50 ns there, half of it inside a core or an L2, and two to three times as long between sockets.
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

std::string text_of(const Machine& machine) {
  return fmt::format("{}{}{}: {}, {}, {}, {}", machine.source, machine.model.empty() ? "" : ", ",
                     machine.model, counted(machine.packages.size(), "package"),
                     counted(machine.numas.size(), "NUMA node"), counted(machine.cores.size(), "core"),
                     counted(machine.pus.size(), "PU"));
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
  MachineProfile profile{.name = "typical", .machine = text_of(machine)};
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
    const bool known = base.pairs[at] && (base.pairs[at]->t_s.origin == Origin::measured ||
                                          base.pairs[at]->t_s.origin == Origin::given);
    if (one > PairClass::same_numa && ways[at].count > 0 && !known)
      costs = farther(inside, ways[at].sum / ways[at].count, Origin::distances);
    else
      costs = base.costs(one);
  }
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
