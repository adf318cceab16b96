#include "explain.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include <vnode/collective.hpp>
#include <vnode/error.hpp>
#include <vnode/select.hpp>
#include <vnode/team.hpp>
#include <vnode/topology.hpp>

#include "base/bytes.hpp"
#include "format.hpp"
#include "number.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string collective, bytes = "1K";
  int nodes = 2;
  Rank root = 0;
  int shift = 1, radix = 2;
  std::string topology = "full";
  bool in_order = false, deterministic = false, varying = false;
  std::optional<std::string> costs;
  Format format = Format::text;
};

/// "150,0.1,0.03,0.03": nanoseconds.
CostModel parsed_costs(const std::string& text) {
  std::array<double, 4> values{};
  std::size_t at = 0;
  for (double& value : values) {
    const char* const begin = text.data() + std::min(at, text.size());
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    at = static_cast<std::size_t>(end - text.data()) + 1;
    const bool last = &value == &values.back();
    const bool ends = end == text.data() + text.size();
    if (error != std::errc{} || !(value >= 0) || ends != last || (!ends && *end != ','))
      throw UsageError(fmt::format(
          "--costs {}: expected t_s,t_w,t_op,t_put in nanoseconds, such as 150,0.1,0.03,0.03", text));
  }
  return {values[0] * 1e-9, values[1] * 1e-9, values[2] * 1e-9, values[3] * 1e-9};
}

Demand demand(const Options& options, const Topology& topology) {
  Demand wanted;
  wanted.collective = parse_collective(options.collective);
  wanted.bytes = parse_bytes(options.bytes, "--bytes");
  wanted.deterministic = options.deterministic;
  wanted.varying = options.varying;
  Parameters& parameters = wanted.parameters;
  parameters.nodes = options.nodes;
  parameters.root = options.root;
  parameters.shift = options.shift;
  parameters.segments = 0;
  parameters.radix = options.radix;
  parameters.keep_order = options.in_order || options.deterministic;
  parameters.extents = mesh_extents(topology);
  if (has_root(wanted.collective) && options.root >= options.nodes)
    throw UsageError(fmt::format("--root {}: with {} nodes the ranks are 0 to {}", options.root,
                                 options.nodes, options.nodes - 1));
  return wanted;
}

std::string formula(const Candidate& candidate, int radix) {
  const Estimate& sum = candidate.estimate;
  std::string text = fmt::format("{:.4g} t_s", sum.startups);
  if (sum.received > 0) text += fmt::format(" + {:.4g} t_w m", sum.received);
  if (sum.written > 0) text += fmt::format(" + {:.4g} t_put m", sum.written);
  if (sum.combined > 0) text += fmt::format(" + {:.4g} t_op m", sum.combined);
  if (candidate.algorithm->segments) text += fmt::format(", {} segments", candidate.segments);
  if (candidate.algorithm->radix) text += fmt::format(", radix {}", radix);
  return text;
}

void print_text(const Demand& wanted, const Topology& topology, const CostModel& costs, bool measured,
                std::vector<Candidate> all) {
  fmt::print("{} of {} bytes on {} nodes, {}\n", name(wanted.collective), wanted.bytes,
             wanted.parameters.nodes, topology.text());
  fmt::print(
      "costs, {}: t_s = {:.0f} ns, t_w = {:.4f} ns per byte, t_op = {:.4f} ns per byte, t_put = {:.4f} ns "
      "per byte\n\n",
      measured ? "measured here" : "as given", costs.t_s * 1e9, costs.t_w * 1e9, costs.t_op * 1e9,
      costs.t_put * 1e9);
  std::ranges::stable_sort(all, {}, [](const Candidate& c) {
    return std::pair(!c.excluded.empty(), c.excluded.empty() ? c.seconds : 0.0);
  });
  for (const Candidate& candidate : all) {
    if (candidate.excluded.empty())
      fmt::print("{} {:<34} {:>12.3f} us   {}\n", candidate.chosen ? '*' : ' ', candidate.algorithm->name,
                 candidate.seconds * 1e6, formula(candidate, wanted.parameters.radix));
    else
      fmt::print("  {:<34}     excluded   {}\n", candidate.algorithm->name, candidate.excluded);
  }
}

void print_json(const Demand& wanted, const Topology& topology, const CostModel& costs,
                const std::vector<Candidate>& all) {
  Json json{{"collective", name(wanted.collective)},
            {"bytes", wanted.bytes},
            {"nodes", wanted.parameters.nodes},
            {"topology", topology.text()},
            {"t_s", costs.t_s},
            {"t_w", costs.t_w},
            {"t_op", costs.t_op},
            {"t_put", costs.t_put}};
  json["candidates"] = Json::array();
  for (const Candidate& candidate : all) {
    Json one{{"algorithm", candidate.algorithm->name}, {"chosen", candidate.chosen}};
    if (candidate.excluded.empty()) {
      one["seconds"] = candidate.seconds;
      one["segments"] = candidate.segments;
    } else {
      one["excluded"] = candidate.excluded;
    }
    json["candidates"].push_back(std::move(one));
  }
  fmt::print("{}\n", json.dump(2));
}

void explain(const Options& options) {
  const Topology topology(Shape::parse(options.topology), options.nodes);
  const Demand wanted = demand(options, topology);
  const CostModel costs = options.costs ? parsed_costs(*options.costs)
                                        : Team(options.nodes, Shape::parse(options.topology)).costs();
  std::vector<Candidate> all = candidates(wanted, topology, costs);
  if (options.format == Format::json)
    print_json(wanted, topology, costs, all);
  else
    print_text(wanted, topology, costs, !options.costs, std::move(all));
}

}  // namespace

void add_explain(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* const command =
      app.add_subcommand("explain", "Explain which algorithm is chosen for a call, and why not the others");
  command->add_option("COLLECTIVE", options->collective, "broadcast, all_reduce, ...")
      ->type_name("")
      ->required();
  add_number(
      *command, "--nodes", {.least = 1, .most = max_nodes}, [options](int nodes) { options->nodes = nodes; },
      "the number of nodes (default: 2)")
      ->type_name("P");
  command->add_option("--bytes", options->bytes, "m, the size of a message; 64K, 1M (default: 1K)")
      ->type_name("M");
  add_number(
      *command, "--root", {}, [options](int root) { options->root = root; }, "the root (default: 0)")
      ->type_name("R");
  command->add_option("--shift", options->shift, "q of a circular shift, of either sign (default: 1)")
      ->type_name("Q");
  add_number(
      *command, "--radix", {.least = 2, .most = max_nodes}, [options](int radix) { options->radix = radix; },
      "of k-nomial trees (default: 2)")
      ->type_name("N");
  command
      ->add_option("--topology", options->topology, "array, ring, mesh:4x4, hypercube, ... (default: full)")
      ->type_name("T");
  command->add_flag("--in-order", options->in_order, "the operator is not commutative");
  command->add_flag("--deterministic", options->deterministic, "the same bits whatever the algorithm");
  command->add_flag("--varying", options->varying, "another count on every rank, as in the v-variants");
  command
      ->add_option("--costs", options->costs,
                   "t_s,t_w,t_op,t_put in nanoseconds, instead of measuring them here")
      ->type_name("LIST");
  add_format(*command, options->format);
  command->callback([options] { explain(*options); });
}

}  // namespace vnode
