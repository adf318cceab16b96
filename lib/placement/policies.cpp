#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "base/counted.hpp"

namespace vnode {
namespace {

template <Mapping (*map)(const Machine&, int)>
Mapping of_nodes(const Machine& machine, const Topology& topology, const MappingSearch&) {
  return map(machine, topology.nodes());
}

template <Mapping (*map)(const Machine&, int, DomainLevel), DomainLevel level>
Mapping of_domains(const Machine& machine, const Topology& topology, const MappingSearch&) {
  return map(machine, topology.nodes(), level);
}

Mapping subcubes(const Machine& machine, const Topology& topology, const MappingSearch&) {
  return subcubes_mapping(machine, topology);
}

template <Mapping (*map)(const Machine&, const Topology&, const std::optional<NumaDistances>&)>
Mapping of_distances(const Machine& machine, const Topology& topology, const MappingSearch& search) {
  return map(machine, topology, search.distances);
}

constexpr std::array policies{
    MappingPolicy{"compact", "consecutive ranks close together, the machine filled from its first core on",
                  of_nodes<compact_mapping>},
    MappingPolicy{"scatter", "spread over the machine as far as can be, as hwloc_distrib does",
                  of_nodes<scatter_mapping>},
    MappingPolicy{"round_robin_l3", "consecutive ranks on different L3s, in turn",
                  of_domains<round_robin_mapping, DomainLevel::l3>},
    MappingPolicy{"round_robin_numa", "consecutive ranks on different NUMA nodes, in turn",
                  of_domains<round_robin_mapping, DomainLevel::numa>},
    MappingPolicy{"round_robin_package", "consecutive ranks on different packages, in turn",
                  of_domains<round_robin_mapping, DomainLevel::package>},
    MappingPolicy{"one_per_l3", "each node alone on an L3",
                  of_domains<one_per_domain_mapping, DomainLevel::l3>},
    MappingPolicy{"one_per_numa", "each node alone on a NUMA node",
                  of_domains<one_per_domain_mapping, DomainLevel::numa>},
    MappingPolicy{"ring_order", "consecutive ranks along a shortest tour of the machine that closes",
                  of_distances<ring_order_mapping>},
    MappingPolicy{"mesh_blocks", "a block of the grid on each NUMA node", of_distances<mesh_blocks_mapping>},
    MappingPolicy{"subcubes", "a sub-cube on each NUMA node, by Gray code", subcubes},
    MappingPolicy{"optimised", "the shortest links that a search finds", optimised_mapping},
};

std::string names_of_policies() {
  std::string text;
  for (const MappingPolicy& policy : policies) text += fmt::format("{}, ", policy.name);
  return text;
}

/// Removes a number from the beginning of `text` and returns it; -1 if there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// Returns the numbers of "0,2,8-11". Throws UsageError if the text is no such, or has more than `most`.
std::vector<int> listed(std::string_view text, std::size_t most) {
  std::vector<int> numbers;
  for (std::string_view rest = text;; rest.remove_prefix(1)) {
    const int first = take_number(rest);
    int last = first;
    if (first >= 0 && rest.starts_with('-')) {
      rest.remove_prefix(1);
      last = take_number(rest);
    }
    if (first < 0 || last < first || !(rest.empty() || rest.starts_with(',')))
      throw UsageError(fmt::format("\"{}\" is not a list of PUs such as 0,2,8-11", text));
    if (static_cast<std::size_t>(last - first) >= most ||
        numbers.size() + static_cast<std::size_t>(last - first) >= most)
      throw UsageError(fmt::format("\"{}\" lists more PUs than there are nodes: {}", text, most));
    for (int number = first; number <= last; ++number) numbers.push_back(number);
    if (rest.empty()) return numbers;
  }
}

constexpr std::size_t most_listed = 1 << 16;

bool is_list(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

/// Returns the system's numbers of the PUs, all or those that are allowed.
std::string numbers_of(const Machine& machine, bool allowed) {
  std::vector<int> numbers;
  for (const Pu& pu : machine.pus)
    if (pu.allowed || !allowed) numbers.push_back(pu.os_index);
  std::ranges::sort(numbers);
  return number_ranges(numbers);
}

Mapping mapping_of_list(const Machine& machine, const Topology& topology, std::string_view text) {
  const auto nodes = static_cast<std::size_t>(topology.nodes());
  std::vector<int> pus;
  for (const int number : listed(text, nodes)) {
    const auto pu = std::ranges::find(machine.pus, number, &Pu::os_index);
    if (pu == machine.pus.end())
      throw UsageError(fmt::format("cannot put node {} on PU {}: {} has PUs {}", pus.size(), number,
                                   machine.source, numbers_of(machine, false)));
    if (!pu->allowed)
      throw SystemError(fmt::format("cannot put node {} on PU {}: the process may use PUs {} only",
                                    pus.size(), number, numbers_of(machine, true)));
    pus.push_back(static_cast<int>(pu - machine.pus.begin()));
  }
  if (pus.size() != nodes)
    throw UsageError(
        fmt::format("\"{}\" lists {}: {} nodes need {}", text, counted(pus.size(), "PU"), nodes, nodes));
  return given_mapping(machine, std::move(pus));
}

}  // namespace

std::span<const MappingPolicy> mapping_policies() { return policies; }

void check_mapping_text(std::string_view text) {
  if (is_list(text)) {
    listed(text, most_listed);
    return;
  }
  if (std::ranges::find(policies, text, &MappingPolicy::name) == std::end(policies))
    throw UsageError(fmt::format("there is no mapping \"{}\": {}or a list of PUs as 0,2,8-11 are possible",
                                 text, names_of_policies()));
}

Mapping mapping_by(const Machine& machine, const Topology& topology, std::string_view text,
                   const MappingSearch& search) {
  if (is_list(text)) return mapping_of_list(machine, topology, text);
  check_mapping_text(text);
  return std::ranges::find(policies, text, &MappingPolicy::name)->map(machine, topology, search);
}

}  // namespace vnode
