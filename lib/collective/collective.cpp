#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/model/algorithms.hpp>

#include "base/nearest.hpp"
#include "building_blocks/needs.hpp"
#include "schedule/collective_traits.hpp"

namespace vnode {

namespace {

using enum Collective;

constexpr auto every_collective = [] {
  std::array<Collective, all_collective_traits.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Collective>(i);
  return all;
}();

std::string near_matches(std::string_view name) {
  std::vector<std::string_view> registered;
  for (const Algorithm& candidate : algorithms()) registered.push_back(candidate.name);
  return fmt::format("did you mean {}? `vnode algorithms` lists all",
                     fmt::join(nearest_names(name, registered), ", "));
}

std::optional<std::string> why_no_mesh(const Parameters& parameters) {
  const std::vector<int>& extents = parameters.extents;
  if (extents.empty()) return "needs the extents of a mesh, and there are none";
  if (std::ranges::any_of(extents, [](int extent) { return extent < 1; }))
    return fmt::format("needs extents of at least 1, not {}", fmt::join(extents, "x"));
  const long product = std::accumulate(extents.begin(), extents.end(), 1L, std::multiplies{});
  if (product != parameters.nodes)
    return fmt::format("needs extents that make {} nodes, {} makes {}", parameters.nodes,
                       fmt::join(extents, "x"), product);
  return std::nullopt;
}

std::optional<std::string> why_no_domains(const Algorithm& algorithm, const Parameters& parameters) {
  if (!parameters.hierarchy) return "needs a hierarchy of domains, as 4x8, and there is none";
  if (parameters.hierarchy.nodes() != parameters.nodes)
    return fmt::format("needs domains of {} nodes, {} has {}", parameters.nodes,
                       parameters.hierarchy.with({}).text(), parameters.hierarchy.nodes());
  return algorithm.domains_refused(parameters);
}

bool are_rows_and_columns(const std::vector<int>& extents) {
  return extents.size() == 2 && std::ranges::min(extents) >= 2;
}

std::optional<std::string> why_no_dimension_order(const Algorithm& algorithm, const Parameters& parameters) {
  const std::vector<int>& order = parameters.dimension_order;
  std::vector<int> dimensions(
      static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(parameters.nodes - 1))));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  if (!std::ranges::is_permutation(order, dimensions))
    return fmt::format("needs each of the {} dimensions once in the order of dimensions, not {}",
                       dimensions.size(), fmt::join(order, ","));
  if (combines(algorithm.collective) && parameters.keep_order &&
      !std::ranges::is_sorted(order, std::ranges::greater{}))
    return fmt::format("keeps rank order with the highest dimension first only, not with {}",
                       fmt::join(order, ","));
  return std::nullopt;
}

}  // namespace

std::string_view enums::name(Collective collective) { return traits(collective).name; }

bool has_root(Collective collective) { return traits(collective).has_root; }

bool combines(Collective collective) { return traits(collective).combines; }

std::span<const Collective> collectives() { return every_collective; }

Collective parse_collective(std::string_view text) {
  for (const Collective collective : collectives())
    if (enums::name(collective) == text) return collective;
  if (text.find(',') != text.npos)
    throw UsageError(fmt::format("one collective is expected, not the list \"{}\"", text));
  std::vector<std::string_view> names;
  for (const CollectiveTraits& one : all_collective_traits) names.push_back(one.name);
  const bool of_mpi = text == "bcast" || text == "exscan";
  const std::string_view meant = !of_mpi           ? nearest_names(text, names).front()
                                 : text == "bcast" ? "broadcast"
                                                   : "exclusive_scan";
  const bool near = of_mpi || edit_distance(text, meant) <= std::min<std::size_t>(3, text.size() / 2);
  throw UsageError(fmt::format("there is no collective \"{}\"{}; there are {}", text,
                               near ? fmt::format(" (did you mean {}?)", meant) : "",
                               fmt::join(names, ", ")));
}

std::string_view enums::name(Need need) {
  static constexpr std::array<std::string_view, 6> needs{"power_of_two", "extents",          "even",
                                                         "few_nodes",    "rows_and_columns", "domains"};
  return needs[static_cast<std::size_t>(need)];
}

std::string_view enums::name(KeepsOrder keeps_order) {
  static constexpr std::array<std::string_view, 3> answers{"yes", "through rank 0", "no"};
  return answers[static_cast<std::size_t>(keeps_order)];
}

const Algorithm& algorithm(std::string_view name) {
  for (const Algorithm& candidate : algorithms())
    if (candidate.name == name) return candidate;
  if (name.find(',') != name.npos)
    throw UsageError(fmt::format("one algorithm is expected, not the list \"{}\"", name));
  throw UsageError(fmt::format("there is no algorithm \"{}\"; {}", name, near_matches(name)));
}

const Algorithm& algorithm(Collective collective, std::string_view name) {
  const std::string full = fmt::format("{}_{}", enums::name(collective), name);
  for (const Algorithm& candidate : algorithms())
    if (candidate.name == full) return candidate;
  const bool is_full =
      std::ranges::any_of(algorithms(), [=](const Algorithm& one) { return one.name == name; });
  const bool names_one = std::ranges::any_of(
      collectives(), [=](Collective one) { return name.starts_with(fmt::format("{}_", enums::name(one))); });
  const Algorithm& found = algorithm(is_full || names_one ? name : full);
  if (found.collective != collective)
    throw UsageError(fmt::format("{} is an algorithm for {}, not for {}", name, enums::name(found.collective),
                                 enums::name(collective)));
  return found;
}

std::optional<std::string> why_not(const Algorithm& algorithm, const Parameters& parameters) {
  const int p = parameters.nodes;
  if (p < 1) return fmt::format("needs at least one node, not {}", p);
  if (has_root(algorithm.collective) && (parameters.root < 0 || parameters.root >= p))
    return fmt::format("needs a root from 0 to {}, not {}", p - 1, parameters.root);
  for (const Need need : algorithm.needs) {
    if (need == Need::power_of_two && !std::has_single_bit(static_cast<unsigned>(p)))
      return fmt::format("needs a power of two, {} is not", p);
    if (need == Need::extents)
      if (auto reason = why_no_mesh(parameters)) return reason;
    if (need == Need::even && p > 1 && p % 2 != 0)
      return fmt::format("needs an even number of nodes, {} is odd", p);
    if (constexpr int most = 64; need == Need::few_nodes && p > most)
      return fmt::format("needs {} nodes at most, not {}", most, p);
    if (need == Need::rows_and_columns && p > 1 && !are_rows_and_columns(parameters.extents))
      return fmt::format("needs two extents of at least 2, not {}", fmt::join(parameters.extents, "x"));
  }
  if (parameters.keep_order && algorithm.keeps_order == KeepsOrder::never && p > 2)
    return "needs a commutative operator: it does not combine in rank order";
  if (algorithm.segments && parameters.segments < 1)
    return fmt::format("needs at least one segment, not {}", parameters.segments);
  if (algorithm.radix && parameters.radix < 2)
    return fmt::format("needs a radix of at least 2, not {}", parameters.radix);
  if (algorithm.dimension_order && !parameters.dimension_order.empty())
    return why_no_dimension_order(algorithm, parameters);
  if (needs(algorithm, Need::domains)) return why_no_domains(algorithm, parameters);
  return std::nullopt;
}

int rounds(const Algorithm& algorithm, const Parameters& parameters) {
  return static_cast<int>(algorithm.cost(parameters).startups);
}

Contract contract(Collective collective, const Parameters& parameters, int blocks) {
  const int p = parameters.nodes;
  switch (collective) {
    case broadcast:
      return broadcast_contract(p, blocks, parameters.root);
    case reduce:
      return reduce_contract(p, blocks, parameters.root);
    case all_gather:
      return all_gather_contract(p, blocks, parameters.only);
    case reduce_scatter:
      return reduce_scatter_contract(p, blocks, parameters.only);
    case all_reduce:
      return all_reduce_contract(p, blocks, parameters.only);
    case scan:
      // With a copy for each rank a message has p slices; else there are two copies of it at most.
      return p > 1 && blocks == long{p} * p * parameters.segments
                 ? sliced_scan_contract(p, blocks)
                 : scan_contract(p, blocks, parameters.segments);
    case exclusive_scan:
      return exclusive_scan_contract(p, blocks, parameters.segments);
    case scatter:
      return scatter_contract(p, blocks, parameters.root);
    case gather:
      return gather_contract(p, blocks, parameters.root);
    case all_to_all:
      return all_to_all_contract(p, blocks, parameters.only);
    case circular_shift:
      return circular_shift_contract(p, blocks, parameters.shift);
    case barrier:
      break;
  }
  return barrier_contract(p);
}

}  // namespace vnode
