#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/message_costs.hpp>
#include <vnode/model/profile.hpp>

#include "base/at.hpp"
#include "base/enum_names.hpp"
#include "model/pair_class.hpp"

namespace vnode {
namespace {

constexpr EnumNames<PairClass, pair_class_count> class_names{
    {"same_core", "same_l2", "same_l3", "same_numa", "same_package", "across_packages", "across_machines"}};
constexpr EnumNames<Origin, 4> origin_names{{"given", "typical", "hwloc distances", "measured"}};

}  // namespace

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

Hockney pair_costs(const MachineProfile& profile, const Machine& machine, std::span<const int> pus, Rank a,
                   Rank b) {
  const auto pu = [&](Rank rank) {
    if (rank < 0 || static_cast<std::size_t>(rank) >= pus.size())
      throw UsageError(fmt::format("there is no node {}: {} nodes are on PUs", rank, pus.size()));
    return at(pus, rank);
  };
  return profile.costs(pair_class(machine, pu(a), pu(b))).hockney();
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

}  // namespace vnode
