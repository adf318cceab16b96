#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <set>

#include <vnode/error.hpp>
#include <vnode/model/numa_distances.hpp>

#include "base/at.hpp"
#include "base/enum_names.hpp"

namespace vnode {
namespace {

constexpr EnumNames<DistanceSource, 4> sources{{"reported by the system",
                                                "reported by the system in part, the others by levels",
                                                "measured", "by levels"}};

using Pus = std::vector<int>;  // ascending indices

/// Lists the parts of a machine that hold NUMA nodes, the smaller before the larger; the last is all.
std::vector<Pus> parts(const Machine& machine) {
  Pus all(machine.pus.size());
  std::iota(all.begin(), all.end(), 0);
  std::set<Pus> distinct{std::move(all)};
  for (const Package& package : machine.packages) distinct.insert(package.pus);
  for (const MachineGroup& group : machine.groups) distinct.insert(group.pus);
  for (const NumaNode& numa : machine.numas)
    if (!numa.pus.empty()) distinct.insert(numa.pus);
  std::vector<Pus> sorted(distinct.begin(), distinct.end());
  std::ranges::stable_sort(sorted, {}, &Pus::size);
  return sorted;
}

bool inside(const Pus& inner, const Pus& outer) { return std::ranges::includes(outer, inner); }

/// Says where a NUMA node is: which parts hold it, all after the first being larger.
struct Nest {
  std::vector<std::size_t> parts;  // ascending: the smaller first
  std::size_t outside = 0;         // the first of them that is larger than a package
};

std::vector<Nest> nests(const Machine& machine, const std::vector<Pus>& parts) {
  std::vector<Nest> nests(machine.numas.size());
  for (std::size_t at = 0; at < parts.size(); ++at) {
    const bool in_package = std::ranges::any_of(
        machine.packages, [&](const Package& package) { return inside(parts[at], package.pus); });
    for (std::size_t numa = 0; numa < nests.size(); ++numa) {
      const Pus& near = machine.numas[numa].pus;
      const bool holds = near.empty() ? at + 1 == parts.size() : inside(near, parts[at]);
      if (!holds) continue;
      nests[numa].parts.push_back(at);
      if (in_package) nests[numa].outside = nests[numa].parts.size();
    }
  }
  return nests;
}

/// Returns the distance that the smallest part that holds both implies.
std::uint64_t by_levels(const Nest& a, const Nest& b) {
  const auto in_b = [&](std::size_t part) { return std::ranges::binary_search(b.parts, part); };
  const auto in_a = std::ranges::find_if(a.parts, in_b);
  const auto levels_a = static_cast<std::size_t>(in_a - a.parts.begin());
  const auto levels_b = static_cast<std::size_t>(std::ranges::lower_bound(b.parts, *in_a) - b.parts.begin());
  if (levels_a < a.outside || levels_b < b.outside)
    return std::min<std::uint64_t>(11 + std::max(levels_a, levels_b), 19);
  const auto farther = [](std::size_t levels, const Nest& nest) {
    return nest.outside == 0 ? 0 : levels - nest.outside;
  };
  return 20 + 10 * std::max(farther(levels_a, a), farther(levels_b, b));
}

/// Holds a matrix between some NUMA nodes, 0 where it says nothing.
struct Told {
  std::vector<int> parts;
  const std::vector<std::vector<std::uint64_t>>& values;
};

/// Returns what the system tells of all NUMA nodes, or of some; nothing if that is not as large as it should
/// be.
std::optional<Told> told(const Machine& machine) {
  const std::size_t size = machine.numas.size();
  const auto is_row = [=](const auto& row) { return row.size() == size; };
  if (machine.distances.size() == size && std::ranges::all_of(machine.distances, is_row)) {
    Told all{.parts = std::vector<int>(size), .values = machine.distances};
    std::iota(all.parts.begin(), all.parts.end(), 0);
    return all;
  }
  const auto found = std::ranges::find_if(machine.matrices, [](const DistanceMatrix& matrix) {
    return matrix.type == "NUMANode" && matrix.meaning == Meaning::latency;
  });
  if (found == machine.matrices.end()) return std::nullopt;
  return Told{.parts = found->parts, .values = found->values};
}

/// Puts what is told into `values`, which are by levels: in their unit, so that the least of it, as a rule
/// from a NUMA node to itself, is as much as it is by levels.
void complete(std::vector<std::vector<std::uint64_t>>& values, const Told& told) {
  constexpr double most = 1e15;  // whatever a file says, it can be counted with
  const auto by_levels = [&](std::size_t from, std::size_t to) -> std::uint64_t& {
    return at(at(values, told.parts[from]), told.parts[to]);
  };
  double least = 0, scale = 0;
  for (std::size_t from = 0; from < told.parts.size(); ++from)
    for (std::size_t to = 0; to < told.parts.size(); ++to) {
      const auto value = static_cast<double>(told.values[from][to]);
      if (value == 0 || (least != 0 && value >= least)) continue;
      least = value;
      scale = static_cast<double>(by_levels(from, to)) / value;
    }
  for (std::size_t from = 0; from < told.parts.size(); ++from)
    for (std::size_t to = 0; to < told.parts.size(); ++to)
      if (told.values[from][to] != 0)
        by_levels(from, to) = static_cast<std::uint64_t>(
            std::min(std::round(scale * static_cast<double>(told.values[from][to])), most));
}

}  // namespace

std::string_view enums::name(DistanceSource source) { return sources[source]; }

NumaDistances numa_distances(const Machine& machine) {
  const std::optional<Told> known = told(machine);
  const auto has_no_0 = [](const auto& row) { return std::ranges::find(row, 0U) == row.end(); };
  if (known && known->parts.size() == machine.numas.size() && std::ranges::all_of(known->values, has_no_0))
    return {DistanceSource::reported, known->values};
  const std::vector<Nest> where = nests(machine, parts(machine));
  NumaDistances distances;
  for (std::size_t from = 0; from < where.size(); ++from) {
    std::vector<std::uint64_t>& values = distances.values.emplace_back();
    for (std::size_t to = 0; to < where.size(); ++to)
      values.push_back(from == to ? 10 : by_levels(where[from], where[to]));
  }
  const auto tells = [](const auto& row) {
    return std::ranges::any_of(row, [](auto one) { return one != 0; });
  };
  if (!known || std::ranges::none_of(known->values, tells)) return distances;
  complete(distances.values, *known);
  distances.source = DistanceSource::partly;
  return distances;
}

std::vector<int> banks_of(const Machine& machine) {
  const bool none_known =
      std::ranges::all_of(machine.numas, [](const NumaNode& numa) { return numa.bytes == 0; });
  std::vector<int> banks;
  for (std::size_t numa = 0; numa < machine.numas.size(); ++numa)
    if (machine.numas[numa].allowed && (none_known || machine.numas[numa].bytes > 0))
      banks.push_back(static_cast<int>(numa));
  return banks;
}

std::optional<int> nearest_bank(const Machine& machine, const NumaDistances& distances, int numa) {
  if (numa < 0 || static_cast<std::size_t>(numa) >= machine.numas.size())
    throw UsageError(
        fmt::format("there is no NUMA node {}: {} has {}", numa, machine.source, machine.numas.size()));
  const std::vector<int> banks = banks_of(machine);
  if (banks.empty()) return std::nullopt;
  if (std::ranges::binary_search(banks, numa)) return numa;
  const std::vector<std::uint64_t>& to = at(distances.values, numa);
  return *std::ranges::min_element(banks, {}, [&](int bank) { return at(to, bank); });
}

}  // namespace vnode
