#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vnode/error.hpp>

#include "commands.hpp"
#include "compare/comparison.hpp"
#include "files/file.hpp"
#include "options/costs.hpp"
#include "options/machines.hpp"
#include "options/place.hpp"
#include "options/subject.hpp"
#include "options/values.hpp"
#include "options/written.hpp"
#include "terminal/progress.hpp"

namespace vnode {
namespace {

struct CompareOptions {
  std::string collective, bytes = "1K:8M";
  std::vector<std::string> algorithms;
  PlaceOptions place;
  bool in_order = false, measure = false;
  CostOptions costs;
  ReportOptions report;
};

Topology topology(const CompareOptions& options) {
  Topology asked = topology_of(options.place);
  if (asked.nodes() < 2)
    throw UsageError("a node alone sends nothing: compare algorithms on 2 nodes or more");
  return asked;
}

Demand compared(const CompareOptions& options, const Topology& topology) {
  Demand wanted;
  wanted.collective = parse_collective(options.collective);
  if (wanted.collective == Collective::barrier)
    throw UsageError("a barrier has no size to compare algorithms over: vnode explain barrier lists them");
  wanted.parameters = parameters_of(options.place, wanted.collective, topology.nodes());
  wanted.parameters.extents = mesh_extents(topology);
  wanted.parameters.keep_order = options.in_order;
  wanted.parameters.segments = 0;
  return wanted;
}

void compare(const CompareOptions& options) {
  check_theme(options.report);
  Contest contest{.topology = topology(options)};
  contest.demand = compared(options, contest.topology);
  contest.sizes = parse_values(options.bytes, "--bytes");
  std::ranges::sort(contest.sizes);
  contest.only = named_algorithms(options.algorithms, contest.demand.collective);
  contest.machines = machines_of(options.place, contest.topology.nodes());
  refuse_unread(options.measure && contest.machines > 1, "--measure", "there is one machine here");
  contest.costs = chosen_costs(options.costs, contest.topology.nodes(), contest.machines);
  contest.farthest = contest.machines > 1 ? take_machines(contest.demand, contest.costs, contest.machines)
                                          : contest.costs.costs;
  Comparison comparison = compared(contest);
  if (options.measure) {
    Progress progress;
    progress.show(0, options.collective);
    measure(contest, comparison, [&](double done) { progress.show(done, options.collective); });
  }
  write_output(comparison_report(contest, comparison, options.report), options.report.output);
}

}  // namespace

void add_compare(const Command& program) {
  const auto options = std::make_shared<CompareOptions>();
  const Command command =
      program.command("compare", "Compare the algorithms of a collective: predicted, measured, as a plot");
  command.option("--collective", into(options->collective), "broadcast, all_reduce, ...")
      .type_name("C")
      .required();
  command
      .list("--algorithm", options->algorithms,
            "only these of its algorithms, by names; can be given several times (default: all)")
      .type_name("NAME,...");
  add_place(command, options->place, "what the topology's extents make", "full");
  add_machines(command, options->place);
  command
      .option("--bytes", into(options->bytes),
              "m: a range, 1K:8M, whose sizes double, or a list, 1K,64K (default: 1K:8M)")
      .type_name("M:M|LIST");
  command.flag("--in-order", options->in_order, "the operator is not commutative");
  add_costs(command, options->costs);
  add_cost_source(command, options->costs);
  add_choice_costs(command, options->costs);
  add_network(command, options->costs);
  command.flag("--measure", options->measure, "also measure on this machine, with a thread for each node");
  add_look(command, options->report);
  command.examples(
      {{"vnode compare --collective broadcast --nodes 8", "all its algorithms, over sizes"},
       {"vnode compare --collective all_reduce --nodes 2 --measure --format html --output compare.html",
        "measured, too, as a page with plots"}});
  command.run([options] {
    options->report.form = form_of(options->report);
    compare(*options);
  });
}

}  // namespace vnode
