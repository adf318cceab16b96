#include "options/place.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/machine_hierarchy.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "base/counted.hpp"
#include "building_blocks/needs.hpp"
#include "options/machines.hpp"

namespace vnode {
namespace {

bool any_radix(std::optional<Collective> collective) {
  return std::ranges::any_of(algorithms(), [=](const Algorithm& algorithm) {
    return algorithm.collective == collective && algorithm.radix;
  });
}

bool any_domains(std::optional<Collective> collective) {
  return std::ranges::any_of(algorithms(), [=](const Algorithm& algorithm) {
    return algorithm.collective == collective && needs(algorithm, Need::domains);
  });
}

Hierarchy hierarchy_of(const PlaceOptions& options, int nodes) {
  const int machines = machines_of(options, nodes);
  if (!options.hierarchy) return hierarchy_of_machines(nodes, machines);
  const auto [machine, mapping] = placed_nodes(nodes, machines);
  return Hierarchy::parse(*options.hierarchy, nodes, named_domains(machine, mapping));
}

}  // namespace

void add_root_and_shift(Command command, PlaceOptions& options) {
  command.whole("--root", {}, into(options.root), "the root (default: 0)").type_name("R");
  constexpr int most = std::numeric_limits<int>::max();
  command
      .whole("--shift", {.least = -most, .most = most}, into(options.shift),
             "q of a circular shift, of either sign (default: 1)")
      .type_name("Q");
}

void add_nodes_and_topology(Command command, PlaceOptions& options, const std::string& usual_nodes,
                            const std::string& usual_topology) {
  command
      .whole("--nodes", {.least = 1, .most = max_nodes}, into(options.nodes),
             fmt::format("the number of nodes (default: {})", usual_nodes))
      .type_name("P");
  command
      .option("--topology", into(options.topology),
              fmt::format("array, ring, mesh, torus, hypercube, tree or full; mesh:4x4, torus:2x3x4 with "
                          "extents (default: {})",
                          usual_topology))
      .type_name("T");
}

void add_place(Command command, PlaceOptions& options, const std::string& usual_nodes,
               const std::string& usual_topology) {
  add_nodes_and_topology(command, options, usual_nodes, usual_topology);
  add_root_and_shift(command, options);
  const Command variants = command.group(variants_group);
  variants
      .whole("--radix", {.least = 2, .most = max_nodes}, into(options.radix),
             "of k-nomial trees (default: 2)")
      .type_name("N");
  variants
      .option("--hierarchy", into(options.hierarchy),
              "domains of near nodes, for hierarchical algorithms: 4x8, lists as 0-3,4-7, or l3, numa, "
              "package, machine; then ,inner=NAME ,outer=NAME ,form=leaders|slices")
      .type_name("H");
}

int nodes_of(const PlaceOptions& options) {
  if (options.nodes) return *options.nodes;
  if (options.topology)
    if (const auto nodes = Shape::parse(*options.topology).nodes()) return *nodes;
  throw UsageError("the number of nodes is missing: give --nodes P, or a topology with extents");
}

Topology topology_of(const PlaceOptions& options) {
  return {options.topology ? Shape::parse(*options.topology) : Shape(shapes::full{}), nodes_of(options)};
}

std::string topology_text(const Topology& topology) {
  const Family family = topology.family();
  if (family == Family::mesh || family == Family::torus) return topology.text();
  return fmt::format("{}{} of {}", topology.text(), family == Family::full ? " topology" : "",
                     topology.nodes());
}

Parameters parameters_of(const PlaceOptions& options, std::optional<Collective> collective, int nodes) {
  const auto refuse = [&](bool given, const char* option, const char* what) {
    refuse_unread(given, option,
                  collective ? fmt::format("{} has no {}", enums::name(*collective), what)
                             : fmt::format("without --collective the schedule has no {}", what));
  };
  refuse(options.root && !(collective && has_root(*collective)), "--root", "root");
  refuse(options.shift && collective != Collective::circular_shift, "--shift", "shift");
  refuse(options.radix && !any_radix(collective), "--radix", "algorithm with a radix");
  refuse(options.hierarchy && !any_domains(collective), "--hierarchy", "algorithm with domains");
  if (options.root && *options.root >= nodes)
    throw UsageError(fmt::format("--root {}: with {} the ranks are 0 to {}", *options.root,
                                 counted(nodes, "node"), nodes - 1));
  return {.nodes = nodes,
          .root = options.root.value_or(0),
          .shift = options.shift.value_or(1),
          .radix = options.radix.value_or(2),
          .hierarchy = hierarchy_of(options, nodes)};
}

void refuse_unread(bool given, const std::string& option, const std::string& why) {
  if (given) throw UsageError(fmt::format("{} does nothing here: {}", option, why));
}

std::string policy_names() {
  std::vector<std::string_view> names;
  for (const MappingPolicy& policy : mapping_policies()) names.push_back(policy.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace vnode
