#include "options/subject.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>

#include <vnode/error.hpp>
#include <vnode/lab/formula.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/textbook.hpp>
#include <vnode/own_schedule.hpp>

#include "base/counted.hpp"
#include "building_blocks/needs.hpp"
#include "files/file.hpp"
#include "options/machines.hpp"
#include "options/values.hpp"

namespace vnode {
namespace {

bool can_have(Family family, int nodes) {
  return (family != Family::hypercube && family != Family::tree) ||
         std::has_single_bit(static_cast<unsigned>(nodes));
}

/// Returns the topology where none is asked for: of those with that many nodes that carry the algorithm free
/// of congestion the one that it is named for, all_gather_ring for rings, or else the first.
Shape home(const Algorithm& algorithm, int nodes) {
  std::optional<Family> first;
  for (const Carrier& carrier : algorithm.carriers) {
    const Family family = parse_family(carrier.family);
    if (!can_have(family, nodes)) continue;
    if (algorithm.name.ends_with(fmt::format("_{}", carrier.family))) return Shape(family);
    if (!first) first = family;
  }
  return first ? Shape(*first) : shapes::full{};
}

/// Returns a topology that only says how many nodes there are: between machines, and inside them, nothing
/// depends on it.
Topology on_machines(int nodes) {
  return {nodes > max_full_nodes ? Shape(shapes::array{}) : Shape(shapes::full{}), nodes};
}

Topology topology_for(const Algorithm& algorithm, const SubjectOptions& options) {
  const int nodes = nodes_of(options);
  if (machines_of(options, nodes) > 1) return on_machines(nodes);
  return options.topology ? topology_of(options) : Topology(home(algorithm, nodes), nodes);
}

Routing routing_for(const Algorithm* algorithm, const Topology& topology, const SubjectOptions& options) {
  if (!options.routing) return routing_of(algorithm, topology);
  const Routing wanted = *options.routing;
  const std::span<const Routing> all = routings(topology.family());
  if (std::ranges::find(all, wanted) != all.end()) return wanted;
  std::string names;
  for (const Routing routing : all)
    names += fmt::format("{}{}", names.empty() ? "" : " and ", enums::name(routing));
  throw UsageError(fmt::format("--routing {}: {} has {}", enums::name(wanted), topology.text(), names));
}

void refuse_topology(const SubjectOptions& options) {
  if (options.machines.value_or(1) == 1) return;
  const char* const why = "of several machines, messages go through memory and over the machines' links";
  refuse_unread(options.topology.has_value(), "--topology", why);
  refuse_unread(options.routing.has_value(), "--routing", why);
}

Parameters parameters_for(const Topology& topology, const SubjectOptions& options,
                          std::optional<Collective> collective, int segments) {
  Parameters parameters = parameters_of(options, collective, topology.nodes());
  parameters.segments = segments;
  parameters.keep_order = options.in_order;
  if (topology.family() == Family::mesh || topology.family() == Family::torus)
    parameters.extents.assign(topology.extents().begin(), topology.extents().end());
  return parameters;
}

Subject from_file(const SubjectOptions& options) {
  if (!options.algorithm.empty())
    throw UsageError(fmt::format("either an algorithm or --schedule, not both {} and {}", options.algorithm,
                                 *options.schedule));
  Schedule schedule = read_schedule(*options.schedule);
  if (options.nodes && *options.nodes != schedule.nodes())
    throw UsageError(fmt::format("--nodes {}: {} has {}", *options.nodes, *options.schedule,
                                 counted(schedule.nodes(), "node")));
  refuse_topology(options);
  const Topology topology(options.topology ? Shape::parse(*options.topology) : Shape(shapes::full{}),
                          schedule.nodes());
  const auto collective =
      options.collective ? std::optional(parse_collective(*options.collective)) : std::nullopt;
  const char* const as_it_is = "a schedule from a file is what it is";
  refuse_unread(options.segments.has_value(), "--segments", as_it_is);
  refuse_unread(options.radix.has_value(), "--radix", as_it_is);
  refuse_unread(options.hierarchy.has_value(), "--hierarchy", as_it_is);
  refuse_unread(options.in_order, "--in-order", as_it_is);
  const Parameters parameters = parameters_for(topology, options, collective, 1);
  if (collective)
    if (const auto wrong = faults(schedule, {.collective = *collective, .parameters = parameters});
        !wrong.empty())
      std::fputs(fmt::format("vnode: {} is no right {}: {}\n", *options.schedule, enums::name(*collective),
                             wrong.front())
                     .c_str(),
                 stderr);
  return {.algorithm = nullptr,
          .collective = collective,
          .parameters = parameters,
          .schedule = std::move(schedule),
          .topology = topology,
          .routing = routing_for(nullptr, topology, options),
          .machines = machines_of(options, topology.nodes()),
          .title = std::filesystem::path(*options.schedule).stem().string()};
}

/// Returns the algorithm. Throws UsageError, also where the name is a file's.
const Algorithm& algorithm_named(const std::string& name) {
  if (std::filesystem::is_regular_file(name))
    throw UsageError(fmt::format("{} is a file: --schedule {} takes it as a schedule", name, name));
  return algorithm(name);
}

double blocks_of(const Algorithm& algorithm, const Parameters& parameters) {
  const double p = parameters.nodes;
  return algorithm.collective == Collective::all_to_all ? p * p : p;
}

bool fits(const Algorithm& algorithm, const Parameters& parameters, double most) {
  return transfers_of(algorithm, parameters) <= most && blocks_of(algorithm, parameters) <= most;
}

/// Returns "2048 or fewer nodes", with the greatest power of two that is right; "fewer nodes" where meshes
/// and domains change, too.
std::string right_nodes(const Algorithm& algorithm, Parameters parameters, double most) {
  if (needs(algorithm, Need::extents) || needs(algorithm, Need::rows_and_columns) ||
      needs(algorithm, Need::domains))
    return "fewer nodes";
  parameters.root = 0;
  for (unsigned nodes = std::bit_floor(static_cast<unsigned>(parameters.nodes)); nodes > 1; nodes /= 2) {
    parameters.nodes = static_cast<int>(nodes);
    if (!why_not(algorithm, parameters) && fits(algorithm, parameters, most))
      return fmt::format("{} or fewer nodes", nodes);
  }
  return "fewer nodes";
}

void check(const Algorithm& algorithm, const Parameters& parameters, double most, const char* or_else) {
  if (fits(algorithm, parameters, most)) return;
  const double transfers = transfers_of(algorithm, parameters);
  const bool blocks = transfers <= most;
  throw UsageError(fmt::format(
      "{} has {:.0f} {} on {}, more than the {:.0f} that can be looked at in time: give {}{}", algorithm.name,
      blocks ? blocks_of(algorithm, parameters) : transfers, blocks ? "blocks" : "transfers",
      counted(parameters.nodes, "node"), most, right_nodes(algorithm, parameters, most), or_else));
}

}  // namespace

std::vector<const Algorithm*> named_algorithms(const std::vector<std::string>& lists,
                                               std::optional<Collective> collective) {
  std::vector<const Algorithm*> all;
  for (const std::string& list : lists)
    for (const std::string& name : split(list)) {
      const Algorithm& wanted = collective ? algorithm(*collective, name) : algorithm(name);
      if (std::ranges::count(all, &wanted) == 0) all.push_back(&wanted);
    }
  return all;
}

Schedule read_schedule(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return schedule_from_text(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

Ports ports_of(const Schedule& schedule) {
  for (const Round& round : schedule.rounds()) {
    std::set<Rank> senders, receivers;
    for (const Transfer& message : messages(round))
      if (!senders.insert(message.from).second || !receivers.insert(message.to).second) return Ports::all;
  }
  return Ports::single;
}

Routing routing_of(const Algorithm* algorithm, const Topology& topology) {
  if (algorithm != nullptr)
    for (const Carrier& carrier : algorithm->carriers)
      if (carrier.family == enums::name(topology.family()) && !carrier.routing.empty())
        return parse_routing(carrier.routing);
  return topology.default_routing();
}

std::optional<Contract> Subject::contract() const {
  if (!collective) return std::nullopt;
  if (algorithm == nullptr)
    return contract_for(schedule, {.collective = *collective, .parameters = parameters});
  return vnode::contract(*collective, parameters, schedule.blocks());
}

Volume Subject::volume(std::size_t bytes) const {
  const auto wanted = contract();
  return wanted ? volume_of(*wanted, bytes) : Volume{bytes, schedule.blocks()};
}

Ports Subject::ports() const {
  return algorithm != nullptr ? vnode::ports(*algorithm, parameters) : ports_of(schedule);
}

Subject subject(const SubjectOptions& options, int segments) {
  if (options.schedule) return from_file(options);
  if (options.algorithm.empty())
    throw UsageError("an algorithm is missing: give its name, or --schedule FILE");
  const Algorithm& wanted = options.collective
                                ? algorithm(parse_collective(*options.collective), options.algorithm)
                                : algorithm_named(options.algorithm);
  refuse_topology(options);
  const Topology topology = topology_for(wanted, options);
  refuse_unread(options, options.segments, wanted);
  refuse_unread(options.in_order && !combines(wanted.collective), "--in-order",
                fmt::format("{} combines nothing", enums::name(wanted.collective)));
  Parameters parameters = parameters_for(topology, options, wanted.collective,
                                         wanted.segments ? options.segments.value_or(segments) : 1);
  if (!needs(wanted, Need::domains)) parameters.hierarchy = {};
  if (const auto reason = why_not(wanted, parameters))
    throw UsageError(fmt::format("{} {}", wanted.name, *reason));
  check_built(wanted, parameters);
  return {.algorithm = &wanted,
          .collective = wanted.collective,
          .parameters = parameters,
          .schedule = wanted.build(parameters),
          .topology = topology,
          .routing = routing_for(&wanted, topology, options),
          .machines = machines_of(options, topology.nodes()),
          .title = std::string(wanted.name)};
}

void add_segments(Command command, std::optional<int>& segments, const std::string& usual) {
  command.group(variants_group)
      .whole("--segments", {.least = 1, .most = most_asked_segments}, into(segments),
             fmt::format("pieces of a message, for pipelined algorithms (default: {})", usual))
      .type_name("K");
}

void refuse_unread(const PlaceOptions& options, std::optional<int> segments, const Algorithm& algorithm) {
  refuse_unread(segments && !algorithm.segments, "--segments",
                fmt::format("{} is not pipelined", algorithm.name));
  refuse_unread(options.radix && !algorithm.radix, "--radix", fmt::format("{} has no radix", algorithm.name));
  refuse_unread(options.hierarchy && !needs(algorithm, Need::domains), "--hierarchy",
                fmt::format("{} has no domains", algorithm.name));
}

void add_subject(Command command, SubjectOptions& options) {
  command.option("ALGORITHM", into(options.algorithm), "its name, as `vnode algorithms` lists it")
      .type_name("");
  command
      .option("--schedule", into(options.schedule),
              "instead of an algorithm: a file with a schedule in the text form that `vnode show` prints")
      .type_name("FILE");
  command.option("--collective", into(options.collective), "what the schedule of a file is to achieve")
      .type_name("C");
  add_place(command, options, "what the topology's extents make, or the schedule's",
            "the one that the algorithm is named for, or the first that it is free of congestion on; of a "
            "schedule, "
            "full");
  add_machines(command, options);
  add_segments(command, options.segments, "1; of simulate and draw the number that is predicted to be best");
  const Command variants = command.group(variants_group);
  variants.flag(
      "--in-order", options.in_order,
      "the schedule for an operator that is not commutative: what is combined keeps the order of ranks");
  variants.choice<Routing>("--routing",
                           {{"shortest", Routing::shortest},
                            {"xy", Routing::xy},
                            {"yx", Routing::yx},
                            {"ecube", Routing::ecube},
                            {"ecube_high", Routing::ecube_high},
                            {"tree", Routing::tree}},
                           into(options.routing),
                           "which links a way takes (default: what the algorithm is made for)");
}

Subject with_segments(Subject subject, const SubjectOptions& wanted, std::size_t bytes,
                      const CostModel& costs) {
  if (subject.algorithm == nullptr || !subject.algorithm->segments || wanted.segments) return subject;
  return vnode::subject(wanted, optimum_segments(*subject.algorithm, subject.parameters, bytes, costs));
}

double transfers_of(const Algorithm& algorithm, const Parameters& parameters) {
  return Formula::parse(algorithm.transfers.text).value(symbol_values(algorithm, parameters));
}

void check_built(const Algorithm& algorithm, const Parameters& parameters) {
  if (!why_not(algorithm, parameters))
    check(algorithm, parameters, most_built_transfers,
          algorithm.segments && parameters.segments > 1 ? ", or fewer segments" : "");
}

void check_choice(const Demand& demand, const char* or_else) {
  Parameters parameters = demand.parameters;
  parameters.segments = 1;
  const bool all = demand.algorithm.empty() || needs(vnode::algorithm(demand.algorithm), Need::domains);
  for (const Algorithm& algorithm : algorithms()) {
    const bool looked_at = all ? algorithm.collective == demand.collective && !needs(algorithm, Need::domains)
                               : algorithm.name == demand.algorithm;
    if (looked_at && !why_not(algorithm, parameters))
      check(algorithm, parameters, most_chosen_transfers, all ? or_else : "");
  }
}

}  // namespace vnode
