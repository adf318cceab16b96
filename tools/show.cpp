#include "show.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/error.hpp>
#include <vnode/notation.hpp>
#include <vnode/topology.hpp>
#include <vnode/verify.hpp>

#include "format.hpp"
#include "number.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string algorithm;
  std::optional<int> nodes;
  Rank root = 0;
  int shift = 1, segments = 1, radix = 2;
  std::optional<std::string> topology;
  Format format = Format::text;
};

bool can_have(Family family, int nodes) {
  return (family != Family::hypercube && family != Family::tree) ||
         std::has_single_bit(static_cast<unsigned>(nodes));
}

/// Where nothing else is asked for: the first topology with that many nodes that carries the algorithm free
/// of congestion.
Shape home(const Algorithm& algorithm, int nodes) {
  for (const Carrier& carrier : algorithm.carriers)
    if (const Family family = parse_family(carrier.family); can_have(family, nodes)) return Shape(family);
  return full{};
}

Topology topology(const Options& options, const Algorithm& algorithm) {
  const std::optional<Shape> shape =
      options.topology ? std::optional(Shape::parse(*options.topology)) : std::nullopt;
  const std::optional<int> nodes = options.nodes || !shape ? options.nodes : shape->nodes();
  if (!nodes) throw UsageError("the number of nodes is missing: give --nodes P, or a topology with extents");
  return {shape ? *shape : home(algorithm, *nodes), *nodes};
}

Routing routing(const Algorithm& algorithm, const Topology& topology) {
  for (const Carrier& carrier : algorithm.carriers)
    if (carrier.family == name(topology.family()) && !carrier.routing.empty())
      return parse_routing(carrier.routing);
  return topology.default_routing();
}

Parameters parameters(const Topology& topology, const Options& options) {
  Parameters parameters{.nodes = topology.nodes(), .root = options.root};
  parameters.shift = options.shift;
  parameters.segments = options.segments;
  parameters.radix = options.radix;
  if (topology.family() == Family::mesh || topology.family() == Family::torus)
    parameters.extents.assign(topology.extents().begin(), topology.extents().end());
  return parameters;
}

std::size_t message_count(const Schedule& schedule) {
  std::size_t count = 0;
  for (const Round& round : schedule.rounds()) count += messages(round).size();
  return count;
}

/// The messages on the busiest link: "1 2 4" by round, or "1 in every round".
std::string load_text(const std::vector<RoundLoad>& loads) {
  std::vector<int> messages;
  for (const RoundLoad& load : loads) messages.push_back(load.messages);
  const bool constant = std::ranges::adjacent_find(messages, std::not_equal_to{}) == messages.end();
  if (constant) return fmt::format("{} in every round", greatest_load(loads));
  return fmt::format("{}", fmt::join(messages, " "));
}

void print_text(const Algorithm& algorithm, const Schedule& schedule, const Parameters& given,
                const Topology& topology) {
  const Cost cost = algorithm.cost(given);
  const Routing way = routing(algorithm, topology);
  const std::string load = load_text(link_loads(schedule, topology, way));
  fmt::print("{} on {} nodes", algorithm.name, given.nodes);
  if (has_root(algorithm.collective)) fmt::print(", root {}", given.root);
  if (algorithm.collective == Collective::circular_shift) fmt::print(", shift {}", given.shift);
  if (algorithm.segments) fmt::print(", {} segments", given.segments);
  if (algorithm.radix) fmt::print(", radix {}", given.radix);
  fmt::print("\nrounds     {}\ntransfers  {}\n", schedule.rounds().size(), message_count(schedule));
  fmt::print("cost       {:g} t_s + {:.6g} t_w m\n", cost.startups, cost.words);
  if (cost.received != cost.words || cost.combined != 0)
    fmt::print("           a node receives up to {:.6g} m, and combines {:.6g} m\n", cost.received,
               cost.combined);
  fmt::print("load       {} on {}, routing {}\n\n{}", load, topology.text(), name(way), to_text(schedule));
}

void print_json(const Algorithm& algorithm, const Schedule& schedule, Rank root) {
  Json json{{"algorithm", algorithm.name}, {"collective", name(algorithm.collective)}};
  const Json written = Json::parse(to_json(schedule));
  for (const char* const key : {"nodes", "blocks"}) json[key] = written[key];
  json["root"] = root;
  json["rounds"] = written["rounds"];
  fmt::print("{}\n", json.dump());
}

void show(const Options& options) {
  const Algorithm& wanted = algorithm(options.algorithm);
  const Topology on = topology(options, wanted);
  const Parameters given = parameters(on, options);
  if (const auto reason = why_not(wanted, given))
    throw UsageError(fmt::format("{} {}", wanted.name, *reason));
  const Schedule schedule = wanted.build(given);
  if (options.format == Format::json)
    print_json(wanted, schedule, options.root);
  else
    print_text(wanted, schedule, given, on);
}

}  // namespace

void add_show(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* const command = app.add_subcommand("show", "Show the rounds of an algorithm");
  command->add_option("ALGORITHM", options->algorithm, "its name, as `vnode algorithms` lists it")
      ->type_name("")
      ->required();
  add_number(
      *command, "--nodes", {.least = 1, .most = max_nodes}, [options](int nodes) { options->nodes = nodes; },
      "the number of nodes")
      ->type_name("P");
  add_number(
      *command, "--root", {}, [options](int root) { options->root = root; }, "the root (default: 0)")
      ->type_name("R");
  command->add_option("--shift", options->shift, "q of a circular shift, of either sign (default: 1)")
      ->type_name("Q");
  add_number(
      *command, "--segments", {.least = 1, .most = 1 << 15},
      [options](int segments) { options->segments = segments; },
      "pieces of a message, for pipelined algorithms (default: 1)")
      ->type_name("K");
  add_number(
      *command, "--radix", {.least = 2, .most = max_nodes}, [options](int radix) { options->radix = radix; },
      "of k-nomial trees (default: 2)")
      ->type_name("N");
  command
      ->add_option("--topology", options->topology,
                   "array, ring, mesh, torus, hypercube, tree or full; mesh:4x4, torus:2x3x4 with extents "
                   "(default: the first that the algorithm is free of congestion on)")
      ->type_name("T");
  add_format(*command, options->format);
  command->callback([options] { show(*options); });
}

}  // namespace vnode
