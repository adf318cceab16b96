#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/select.hpp>
#include <vnode/topology.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "command_line/datatypes.hpp"
#include "commands.hpp"
#include "options/costs.hpp"
#include "options/machines.hpp"
#include "options/place.hpp"
#include "options/subject.hpp"
#include "options/values.hpp"
#include "options/written.hpp"
#include "terminal/csv.hpp"
#include "terminal/progress.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainOptions {
  std::string collective;
  std::size_t bytes = 1024;
  Arithmetic datatype = Arithmetic::f64;
  PlaceOptions place;
  bool in_order = false, deterministic = false, varying = false;
  CostOptions costs;
  Format format = Format::text;
};

Demand asked(const ExplainOptions& options, const Topology& topology) {
  Demand wanted;
  wanted.collective = parse_collective(options.collective);
  wanted.bytes = options.bytes;
  wanted.deterministic = options.deterministic;
  wanted.at_once = combines(wanted.collective) && !options.deterministic &&
                   (options.datatype == Arithmetic::f16 || options.datatype == Arithmetic::bf16);
  wanted.varying = options.varying;
  Parameters& parameters = wanted.parameters;
  parameters = parameters_of(options.place, wanted.collective, topology.nodes());
  parameters.segments = 0;
  parameters.keep_order = options.in_order || options.deterministic;
  parameters.extents = mesh_extents(topology);
  return wanted;
}

std::string formula(const Candidate& candidate, int radix) {
  const Estimate& sum = candidate.estimate;
  std::string text = fmt::format("{:.4g} t_s", sum.startups);
  if (sum.peers > 0) text += fmt::format(" + {:.4g} ({:.4g} t_s)", sum.peers, further_peer);
  if (sum.messages > 0) text += fmt::format(" + {:.4g} o", sum.messages);
  std::vector<std::string> bytes;
  if (sum.received > 0) bytes.push_back(fmt::format("{:.4g} t_w m", sum.received));
  if (sum.written > 0) bytes.push_back(fmt::format("{:.4g} t_put m", sum.written));
  if (sum.combined > 0) bytes.push_back(fmt::format("{:.4g} t_op m", sum.combined));
  if (!bytes.empty())
    text += sum.crowding > 1 ? fmt::format(" + {:.4g} ({})", sum.crowding, fmt::join(bytes, " + "))
                             : fmt::format(" + {}", fmt::join(bytes, " + "));
  if (candidate.algorithm->segments) text += ", " + counted(candidate.segments, "segment");
  if (candidate.algorithm->radix) text += fmt::format(", radix {}", radix);
  if (candidate.hierarchy) text += fmt::format(", domains {}", candidate.hierarchy.text());
  return text;
}

/// Returns the costs that are given; if none of messages inside a machine is, measures them as the team that
/// chooses does, where that is quick.
CostChoice costs_for(const ExplainOptions& options, int nodes, int machines) {
  CostOptions costs = options.costs;
  if (!costs.any() && nodes / machines <= most_measured_nodes) costs.source = CostSource::measured;
  return chosen_costs(costs, nodes, machines);
}

/// Returns the profile whose tuned times the team goes by that chooses: the one that is asked for, or the
/// kept one unless other costs are asked for.
ProfileChoice tuned_profile(const CostOptions& costs) {
  const bool others = costs.any() && !costs.profile && costs.source != CostSource::profile;
  return others ? ProfileChoice() : choose_profile(costs.profile, Machine::discover());
}

/// Returns the candidates as people read them: the cheapest first, of those that were measured and then of
/// the others, and what is excluded last.
std::vector<Candidate> cheapest_first(std::vector<Candidate> all) {
  std::ranges::stable_sort(all, {}, [](const Candidate& c) {
    return std::tuple(!c.excluded.empty(), !c.measured, c.excluded.empty() ? c.seconds : 0.0);
  });
  return all;
}

/// Says how far the choice is from the best of the others.
std::string lead_text(const std::vector<Candidate>& all) {
  const auto possible = [](const Candidate& candidate) { return candidate.excluded.empty(); };
  const auto chosen = std::ranges::find_if(all, &Candidate::chosen);
  const Candidate* other = nullptr;
  for (const Candidate& candidate : all)
    if (possible(candidate) && !candidate.chosen &&
        (chosen == all.end() || candidate.measured == chosen->measured) &&
        (other == nullptr || candidate.seconds < other->seconds))
      other = &candidate;
  if (chosen == all.end()) return "none can be chosen";
  if (other == nullptr || !(chosen->seconds > 0))
    return fmt::format("chosen: {}, the only one", chosen->algorithm->name);
  const double lead = other->seconds / chosen->seconds - 1;
  const std::string distance = fmt::format("{} takes {:.1f} % {}", other->algorithm->name,
                                           std::abs(lead) * 100, lead < 0 ? "less" : "more");
  return std::abs(lead) > prediction_noise
             ? fmt::format("chosen: {}; the next, {}", chosen->algorithm->name, distance)
             : fmt::format(
                   "chosen: {}, which starts the fewest messages of those that are equal within {:.0f} %: {}",
                   chosen->algorithm->name, prediction_noise * 100, distance);
}

void print_text(const Demand& wanted, const Topology& topology, int machines, const CostChoice& start,
                const ProfileChoice& tuned, const std::vector<Candidate>& all) {
  fmt::print("{} of {} on {}, {}\n", enums::name(wanted.collective), counted(wanted.bytes, "byte"),
             nodes_text(wanted.parameters.nodes, machines), topology.text());
  const std::size_t width = terminal_width();
  fmt::print("{}\n", folded(costs_text(start, machines), width, hanging));
  if (std::ranges::any_of(all, &Candidate::measured))
    fmt::print("{}\n", folded(fmt::format("times measured by vnode tune come first, {}", tuned.source), width,
                              hanging));
  fmt::print("{}\n\n", folded(lead_text(all), width, hanging));
  std::vector<std::vector<std::string>> rows;
  for (const Candidate& candidate : cheapest_first(all)) {
    const bool can = candidate.excluded.empty();
    rows.push_back({fmt::format("{} {}", candidate.chosen ? '*' : ' ', candidate.algorithm->name),
                    can ? shown_time(candidate.seconds) : "excluded",
                    !can                 ? candidate.excluded
                    : candidate.measured ? "measured by vnode tune"
                                         : formula(candidate, wanted.parameters.radix)});
  }
  fmt::print("{}", table_with_text(rows, width));
}

void print_json(const Demand& wanted, const Topology& topology, int machines, const CostChoice& start,
                const std::vector<Candidate>& all) {
  const CostModel& costs = start.costs;
  Json json{{"collective", enums::name(wanted.collective)},
            {"bytes", wanted.bytes},
            {"nodes", wanted.parameters.nodes},
            {"topology", topology.text()},
            {"costs", start.source},
            {"t_s", costs.t_s},
            {"t_w", costs.t_w},
            {"t_op", costs.t_op},
            {"t_put", costs.t_put},
            {"o", costs.o},
            {"nodes_per_pu", costs.nodes_per_pu},
            {"eager_to", costs.eager_to},
            {"shared_from", costs.shared_from}};
  if (machines > 1) {
    json["machines"] = machines;
    json["network"] = {{"costs", enums::name(start.network.t_s.origin)},
                       {"t_s", start.network.t_s.value},
                       {"t_w", start.network.t_w.value},
                       {"o", start.network.o.value}};
  }
  json["candidates"] = Json::array();
  for (const Candidate& candidate : all) {
    Json one{{"algorithm", candidate.algorithm->name}, {"chosen", candidate.chosen}};
    if (candidate.excluded.empty()) {
      one["seconds"] = candidate.seconds;
      one["measured"] = candidate.measured;
      one["startups"] = candidate.estimate.startups;
      one["messages"] = candidate.estimate.messages;
      one["peers"] = candidate.estimate.peers;
      one["received"] = candidate.estimate.received;
      one["written"] = candidate.estimate.written;
      one["combined"] = candidate.estimate.combined;
      one["crowding"] = candidate.estimate.crowding;
      one["segments"] = candidate.segments;
      if (candidate.hierarchy) one["domains"] = candidate.hierarchy.text();
    } else {
      one["excluded"] = candidate.excluded;
    }
    json["candidates"].push_back(std::move(one));
  }
  fmt::print("{}\n", json.dump(2));
}

void print_csv(const Demand& wanted, const Topology& topology, const std::vector<Candidate>& all) {
  fmt::print(
      "collective,bytes,nodes,topology,algorithm,chosen,predicted_us,measured,startups,messages,peers,"
      "received,written,combined,crowding,segments,radix,domains,excluded\n");
  for (const Candidate& candidate : cheapest_first(all)) {
    const Algorithm& algorithm = *candidate.algorithm;
    std::vector<std::string> fields{std::string(enums::name(wanted.collective)),
                                    fmt::to_string(wanted.bytes),
                                    fmt::to_string(wanted.parameters.nodes),
                                    topology.text(),
                                    std::string(algorithm.name),
                                    candidate.chosen ? "1" : "0"};
    const Estimate& sum = candidate.estimate;
    if (candidate.excluded.empty())
      fields.insert(
          fields.end(),
          {csv_microseconds(candidate.seconds), candidate.measured ? "1" : "0", csv_number(sum.startups),
           csv_number(sum.messages), csv_number(sum.peers), csv_number(sum.received), csv_number(sum.written),
           csv_number(sum.combined), csv_number(sum.crowding), fmt::to_string(candidate.segments),
           algorithm.radix ? fmt::to_string(wanted.parameters.radix) : "",
           candidate.hierarchy ? candidate.hierarchy.text() : ""});
    else
      fields.insert(fields.end(), 12, "");
    fields.push_back(candidate.excluded);
    fmt::print("{}", csv_line(fields));
  }
}

std::vector<Candidate> candidates_for(const Demand& wanted, const Topology& topology,
                                      const CostModel& costs) {
  const Notice notice("looking at the schedules");
  return candidates(wanted, topology, costs);
}

void explain(const ExplainOptions& options) {
  parse_collective(options.collective);  // before all else: it is what is asked first
  const Topology topology = topology_of(options.place);
  Demand wanted = asked(options, topology);
  check_choice(wanted);
  const int machines = machines_of(options.place, topology.nodes());
  const CostChoice costs = costs_for(options, topology.nodes(), machines);
  const CostModel farthest = take_machines(wanted, costs, machines);
  const ProfileChoice tuned = machines == 1 ? tuned_profile(options.costs) : ProfileChoice();
  if (tuned.profile) wanted.tuned = tuned.profile->tuned;
  const std::vector<Candidate> all = candidates_for(wanted, topology, farthest);
  if (options.format == Format::json)
    print_json(wanted, topology, machines, costs, all);
  else if (options.format == Format::csv)
    print_csv(wanted, topology, all);
  else
    print_text(wanted, topology, machines, costs, tuned, all);
}

}  // namespace

void add_explain(const Command& program) {
  const auto options = std::make_shared<ExplainOptions>();
  const Command command = program.command("explain",
                                          "Explain which algorithm is chosen for a call, and why not "
                                          "the others; by costs measured here, or given");
  command.option("COLLECTIVE", into(options->collective), "broadcast, all_reduce, ...")
      .type_name("")
      .required();
  add_place(command, options->place, "what the topology's extents make", "full");
  add_machines(command, options->place);
  add_bytes(command, into(options->bytes));
  command.flag("--in-order", options->in_order, "the operator is not commutative");
  command.flag("--deterministic", options->deterministic, "the same bits whatever the algorithm");
  command
      .option(
          "-d,--datatype",
          [options](const std::string& text) {
            const auto found = find_datatype(text);
            if (!found)
              throw UsageError(
                  fmt::format("--datatype '{}': there are {}", text, fmt::join(datatypes.names, ", ")));
            options->datatype = *found;
          },
          fmt::format(
              "type of the elements of a sum: {}; those of f16 and bf16 are rounded once where all is "
              "combined at once",
              fmt::join(datatypes.names, ", ")))
      .type_name("TYPE")
      .usual("f64");
  command.flag("--varying", options->varying, "another count on every rank, as in the v-variants");
  add_costs(command, options->costs);
  add_cost_source(command, options->costs,
                  "measured, as a team does that chooses; of many nodes the profile or typical");
  add_choice_costs(command, options->costs);
  add_network(command, options->costs);
  add_table_format(command, options->format);
  command.examples(
      {{"vnode explain all_reduce --nodes 8 --bytes 1M", "which algorithm, and what the others would cost"},
       {"vnode explain broadcast --nodes 16 --machines 2 --bytes 64K", "on two machines"}});
  command.run([options] { explain(*options); });
}

}  // namespace vnode
