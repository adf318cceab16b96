#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <optional>
#include <set>

#include <vnode/error.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "brief.hpp"
#include "machines.hpp"

using namespace vnode;

namespace {

/// Returns what is wrong with a mapping, or nothing: nodes on allowed PUs only, loads that differ by one at
/// most, no PU with two nodes and no core with a second one while another has none, and true words about
/// cores.
std::string fault(const Machine& machine, const Mapping& mapping, int nodes) {
  if (static_cast<int>(mapping.pu.size()) != nodes) return fmt::format("{} nodes", mapping.pu.size());
  std::vector<int> on_pu(machine.pus.size()), on_core(machine.cores.size());
  for (const int pu : mapping.pu) {
    if (pu < 0 || pu >= static_cast<int>(machine.pus.size())) return fmt::format("no PU {}", pu);
    const Pu& place = machine.pus[static_cast<std::size_t>(pu)];
    if (!place.allowed) return fmt::format("PU {} is not allowed", pu);
    ++on_pu[static_cast<std::size_t>(pu)];
    ++on_core[static_cast<std::size_t>(place.core)];
  }
  int least = nodes, most = 0;
  for (const int pu : machine.allowed_pus()) {
    least = std::min(least, on_pu[static_cast<std::size_t>(pu)]);
    most = std::max(most, on_pu[static_cast<std::size_t>(pu)]);
  }
  if (most - least > 1) return fmt::format("loads from {} to {}", least, most);
  const auto used = static_cast<int>(on_core.size()) - static_cast<int>(std::ranges::count(on_core, 0));
  if (used != std::min(nodes, machine.allowed_cores())) return fmt::format("{} cores used", used);
  if (mapping.cores_used != used) return fmt::format("{} cores used, not {}", used, mapping.cores_used);
  if (mapping.own_core != (std::ranges::max(on_core) == 1)) return "own_core is wrong";
  return {};
}

/// All kinds of topologies of so many nodes.
std::vector<Topology> topologies(int nodes) {
  std::vector<Topology> all{Topology(shapes::array{}, nodes), Topology(shapes::ring{}, nodes),
                            Topology(shapes::mesh{}, nodes), Topology(shapes::torus{}, nodes)};
  for (int plane = 2; plane * 2 <= nodes; ++plane)
    if (nodes % (plane * 2) == 0) {
      all.push_back(Topology(shapes::mesh{2, plane, nodes / plane / 2}, nodes));
      break;
    }
  if (std::has_single_bit(static_cast<unsigned>(nodes))) {
    all.push_back(Topology(shapes::hypercube{}, nodes));
    all.push_back(Topology(shapes::tree{}, nodes));
  }
  if (nodes <= 32) all.push_back(Topology(shapes::full{}, nodes));
  return all;
}

/// Why a policy may refuse.
bool may_refuse(std::string_view policy, const Machine& machine, const Topology& topology) {
  const auto more_than = [&](DomainLevel level) {
    return topology.nodes() > static_cast<int>(allowed_domains(machine, level).size());
  };
  if (policy == "one_per_l3") return more_than(DomainLevel::l3);
  if (policy == "one_per_numa") return more_than(DomainLevel::numa);
  if (policy == "mesh_blocks") return topology.family() == Family::tree || topology.family() == Family::full;
  if (policy == "subcubes") return topology.family() != Family::hypercube;
  return false;
}

std::optional<Mapping> mapped(const MappingPolicy& policy, const Machine& machine, const Topology& topology,
                              const MappingSearch& search = {}) {
  try {
    return policy.map(machine, topology, search);
  } catch (const UsageError& error) {
    CHECK(may_refuse(policy.name, machine, topology));
    CHECK(std::string(error.what()).size() > 20);
    return {};
  }
}

/// Returns what is wrong with metrics, or nothing: bounds above what they bound, or more crossings than
/// links.
std::string fault(const MappingMetrics& metrics) {
  if (metrics.least_weighted_hops && *metrics.least_weighted_hops > metrics.weighted_hops + 1e-6)
    return fmt::format("weighted hops {} of at least {}", metrics.weighted_hops,
                       *metrics.least_weighted_hops);
  for (const Crossings& crossings : metrics.crossings) {
    if (crossings.least && *crossings.least > crossings.links)
      return fmt::format("{} crossings of at least {}", crossings.links, *crossings.least);
    if (crossings.links > metrics.links || (crossings.domains == 1 && crossings.links > 0))
      return fmt::format("{} crossings of {} links", crossings.links, metrics.links);
  }
  if (metrics.package_link_load > static_cast<double>(metrics.across(DomainLevel::package).links))
    return "a package link with more load than there is";
  return {};
}

void check_all(const Machine& machine, int nodes) {
  CAPTURE(machine.source);
  CAPTURE(nodes);
  for (const Topology& topology : topologies(nodes)) {
    CAPTURE(topology.text());
    for (const MappingPolicy& policy : mapping_policies()) {
      if (policy.name == "optimised") continue;
      CAPTURE(policy.name);
      const auto mapping = mapped(policy, machine, topology);
      if (!mapping) continue;
      CHECK(fault(machine, *mapping, nodes) == "");
      CHECK(fault(mapping_metrics(machine, topology, *mapping)) == "");
    }
  }
}

void check_optimised(const Machine& machine, int nodes, const MappingSearch& search) {
  CAPTURE(machine.source);
  CAPTURE(nodes);
  for (const Topology& topology : topologies(nodes)) {
    CAPTURE(topology.text());
    const Mapping best = optimised_mapping(machine, topology, search);
    CHECK(fault(machine, best, nodes) == "");
    const MappingMetrics metrics = mapping_metrics(machine, topology, best);
    CHECK(fault(metrics) == "");
    for (const MappingPolicy& policy : mapping_policies()) {
      CAPTURE(policy.name);
      if (policy.name == "optimised") continue;
      if (const auto mapping = mapped(policy, machine, topology))
        CHECK(metrics.weighted_hops <= weighted_hops(machine, topology, *mapping));
    }
  }
}

int pus_of(const Machine& machine) { return static_cast<int>(machine.allowed_pus().size()); }

}  // namespace

TEST_CASE("on every irregular machine, every policy maps every p up to 3 x PUs evenly, cores first") {
  for (const Machine& machine : irregular_machines())
    for (int nodes = 1; nodes <= std::min(3 * pus_of(machine), 130); nodes += nodes < 40 ? 1 : 13)
      check_all(machine, nodes);
}

TEST_CASE("on random machines, every policy maps evenly, cores first, and bounds hold") {
  const std::uint64_t machines = vnode_test::brief() ? 50 : 250;
  for (std::uint64_t seed = 0; seed < machines; ++seed) {
    CAPTURE(seed);
    const Machine machine = random_machine(seed, 160);
    const int pus = pus_of(machine);
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(pus)));
    for (const int nodes : std::set{2, machine.allowed_cores(), pus, power, pus + 1, 2 * pus + 3})
      check_all(machine, nodes);
  }
}

TEST_CASE("optimised is never worse than the best other policy") {
  const MappingSearch brief{.searches = 2};
  for (const Machine& machine : irregular_machines())
    for (const int nodes : std::set{1, 8, std::min(pus_of(machine), 64)})
      check_optimised(machine, nodes, brief);
  for (std::uint64_t seed = 1000; seed < 1030; ++seed) {
    CAPTURE(seed);
    const Machine machine = random_machine(seed, 64);
    for (const int nodes : std::set{16, pus_of(machine)}) check_optimised(machine, nodes, brief);
  }
}

TEST_CASE("a machine of 8 x 8 x 16 x 2 PUs has a node on each, by every policy, and is measured") {
  const Machine machine = Machine::from_synthetic("pack:8 numa:8 l3:2 core:8 pu:2");
  for (const Topology& topology :
       {Topology(shapes::array{}, 2048), Topology(shapes::ring{}, 2048), Topology(shapes::mesh{}, 2048),
        Topology(shapes::torus{8, 16, 16}, 2048), Topology(shapes::hypercube{}, 2048),
        Topology(shapes::tree{}, 2048), Topology(shapes::full{}, 2048), Topology(shapes::hypercube{}, 4096),
        Topology(shapes::mesh{}, 5000), Topology(shapes::tree{}, 4096), Topology(shapes::full{}, 2500)}) {
    CAPTURE(topology.text());
    CAPTURE(topology.nodes());
    for (const MappingPolicy& policy : mapping_policies()) {
      CAPTURE(policy.name);
      const auto mapping = mapped(policy, machine, topology, {.searches = 2});
      if (!mapping) continue;
      CHECK(fault(machine, *mapping, topology.nodes()) == "");
      CHECK(fault(mapping_metrics(machine, topology, *mapping)) == "");
    }
  }
}

TEST_CASE("2048 cores with an L3 each are mapped by every policy") {
  const Machine machine = Machine::from_synthetic("pack:8 numa:8 l3:32 core:1 pu:1");
  const Topology topology(shapes::ring{}, 2048);
  for (const MappingPolicy& policy : mapping_policies()) {
    CAPTURE(policy.name);
    const auto mapping = mapped(policy, machine, topology, {.searches = 2});
    if (mapping) CHECK(fault(machine, *mapping, 2048) == "");
  }
}
