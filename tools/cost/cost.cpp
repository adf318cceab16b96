#include <fmt/format.h>
#include <memory>

#include <vnode/error.hpp>

#include "commands.hpp"
#include "cost/cost_report.hpp"
#include "options/costs.hpp"
#include "options/machines.hpp"
#include "options/place.hpp"
#include "options/subject.hpp"
#include "options/values.hpp"

namespace vnode {
namespace {

constexpr int most_counted_nodes = 1 << 14;

struct AccountOptions {
  std::string subject;
  std::optional<std::size_t> bytes;
  PlaceOptions place;
  std::optional<int> segments;
  CostOptions costs;
  bool table = false;
  CostFormat format = CostFormat::text;
};

bool is_collective(const std::string& text) {
  for (const Collective collective : collectives())
    if (enums::name(collective) == text) return true;
  return false;
}

CostQuestion question_of(const AccountOptions& options, Collective collective) {
  if (const int nodes = nodes_of(options.place); nodes > most_counted_nodes)
    throw UsageError(fmt::format("--nodes {}: what algorithms cost is counted in seconds for up to {}", nodes,
                                 most_counted_nodes));
  CostQuestion question{.topology = topology_of(options.place), .segments = options.segments};
  const int machines = machines_of(options.place, question.topology.nodes());
  CostChoice choice = chosen_costs(options.costs, question.topology.nodes(), machines);
  if (machines > 1) {  // formulas know one cost: that of the network
    choice.costs.t_s = choice.network.t_s.value;
    choice.costs.t_w = choice.network.t_w.value;
    choice.source = fmt::format("between machines, {}", enums::name(choice.network.t_s.origin));
  }
  question.costs = choice.costs;
  question.costs_source = std::move(choice.source);
  question.demand.collective = collective;
  question.demand.bytes = options.bytes.value_or(1024);
  Parameters& parameters = question.demand.parameters;
  parameters = parameters_of(options.place, collective, question.topology.nodes());
  parameters.extents = mesh_extents(question.topology);
  return question;
}

void cost(const AccountOptions& options) {
  if (options.table) {
    if (!options.subject.empty())
      throw UsageError(fmt::format("--table is of all operations: leave {} away", options.subject));
    const char* const formulas = "the table is of formulas on a hypercube of --nodes P";
    refuse_unread(options.bytes.has_value(), "--bytes", formulas);
    refuse_unread(options.segments.has_value(), "--segments", formulas);
    refuse_unread(options.place.topology.has_value(), "--topology", formulas);
    refuse_unread(options.place.root.has_value(), "--root", formulas);
    refuse_unread(options.place.shift.has_value(), "--shift", formulas);
    refuse_unread(options.place.radix.has_value(), "--radix", formulas);
    refuse_unread(options.place.hierarchy.has_value(), "--hierarchy", formulas);
    refuse_unread(options.place.machines.has_value(), "--machines", formulas);
    refuse_unread(options.costs.network.has_value(), "--network", formulas);
    refuse_unread(options.costs.any(), "--ts, --tw, --top, --costs or --profile", formulas);
    return print_table_4_1(nodes_of(options.place), options.format);
  }
  if (options.subject.empty())
    throw UsageError("an algorithm or a collective is missing: give its name, or --table");
  if (is_collective(options.subject))
    return report(question_of(options, parse_collective(options.subject)), options.format);
  const Algorithm& wanted = algorithm(options.subject);
  refuse_unread(options.place, options.segments, wanted);
  report(question_of(options, wanted.collective), wanted, options.format);
}

}  // namespace

void add_cost(const Command& program) {
  const auto options = std::make_shared<AccountOptions>();
  const Command command = program.command("cost", "Write what algorithms cost, as formulas and numbers");
  command.option("ALGORITHM|COLLECTIVE", into(options->subject), "one algorithm, or all of a collective")
      .type_name("");
  command.flag("--table", options->table, "instead: the book's Table 4.1, and our schedules beside it");
  add_place(command, options->place, "what the topology's extents make", "full");
  add_machines(command, options->place);
  add_segments(command, options->segments, "the best number");
  add_bytes(command, into(options->bytes));
  add_costs(command, options->costs);
  add_cost_source(command, options->costs);
  add_network(command, options->costs);
  command.group("Output").choice("--format",
                                 {{"text", CostFormat::text},
                                  {"json", CostFormat::json},
                                  {"csv", CostFormat::csv},
                                  {"latex", CostFormat::latex}},
                                 options->format, "what to write");
  command.examples(
      {{"vnode cost all_reduce --nodes 8", "what each costs, and from which size on another is cheaper"},
       {"vnode cost --table --nodes 16", "Table 4.1 of Grama et al., with values"}});
  command.run([options] { cost(*options); });
}

}  // namespace vnode
