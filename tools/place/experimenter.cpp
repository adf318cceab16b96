#include "place/experimenter.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <stdexcept>
#include <sys/utsname.h>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/bank_condition.hpp>
#include <vnode/lab/simulate.hpp>
#include <vnode/lab/textbook.hpp>
#include <vnode/model/machine_hierarchy.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/version.hpp>

#include "base/counted.hpp"
#include "building_blocks/needs.hpp"
#include "measure/bandwidth.hpp"
#include "measure/collective_data.hpp"
#include "options/costs.hpp"
#include "options/subject.hpp"
#include "place/placement_measurement.hpp"
#include "settings/environment.hpp"
#include "terminal/units.hpp"

namespace vnode {
namespace {

// With memory banks every message costs time in proportion to those under way, which grow with the nodes:
// seconds at most.
constexpr double most_transfers_of_a_trial = 1 << 17, most_simulated_times_nodes = 1 << 26;

CostOptions cost_options(const Campaign& campaign) {
  const auto seconds = [](std::optional<double> ns) {
    return ns ? std::optional(*ns * nanosecond) : std::nullopt;
  };
  CostOptions options{.t_s = seconds(campaign.ts),
                      .t_w = seconds(campaign.tw),
                      .t_op = seconds(campaign.top),
                      .t_put = {},
                      .o = {},
                      .profile = campaign.profile,
                      .latencies = campaign.latencies};
  // Costs that are all given depend on no profile that happens to be there.
  if (options.t_s && options.t_w && options.t_op) options.t_put = typical_costs.t_put;
  return options;
}

MemoryOptions memory_options(const Campaign& campaign) {
  const auto bytes = [](std::optional<double> gigabytes) {
    return gigabytes ? std::optional(*gigabytes * giga) : std::nullopt;
  };
  return {.banks = {},
          .machine = campaign.machine,
          .mapping = {},
          .bank_bandwidth = bytes(campaign.bank_bandwidth),
          .link_bandwidth = bytes(campaign.link_bandwidth)};
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "unknown";
}

/// Returns what the environment says of how teams run, by the variables that they read, ascending:
/// "VNODE_WAIT=spin".
std::vector<std::string> vnode_environment() {
  std::vector<std::string> given;
  for (const EnvironmentVariable& variable : environment_variables())
    if (const char* const value = std::getenv(variable.name))
      given.push_back(fmt::format("{}={}", variable.name, value));
  return given;
}

/// Returns what predictions start from, as a text.
std::string basis_of(const CostChoice& choice, const BankSpeeds& speeds) {
  const CostModel& costs = choice.costs;
  std::string text = fmt::format("{} {} {} {} {};{}", costs.t_s, costs.t_w, costs.t_op, costs.t_put, costs.o,
                                 fmt::join(speeds.bandwidth, ","));
  for (const std::vector<double>& row : speeds.between) text += fmt::format(";from {}", fmt::join(row, ","));
  return text + (choice.profile ? to_json(*choice.profile) : "");
}

/// Returns how much of a call's data is still in the caches when the next call comes: all, if half of these
/// hold it, and nothing from three times that on. (Of two cores of a Zen 5, which have 34 MiB of caches,
/// all_gather with 24 MiB takes .25 to .35 of what memory allows, all_to_all with 32 MiB .3 to .48.)
double cached_share(double data, double caches) {
  return std::clamp((1.5 * caches - data) / caches, 0.0, 1.0);
}

/// Returns the seconds in which nodes copy what they have themselves to where it belongs among the results:
/// at t_w for a byte, or as slow as the memory of the bank that most nodes are near lets them. No schedule
/// has these bytes. While the first node of a scan copies, the others take over its share of the work; but
/// memory carries these bytes, too.
double own_copy_seconds(const Demand& demand, double t_w, const MemoryBanks* memory) {
  const bool all_copy =
      demand.collective == Collective::all_gather || demand.collective == Collective::all_to_all;
  if (!all_copy && demand.collective != Collective::scan) return 0;
  double per_byte = all_copy ? t_w : t_w / demand.parameters.nodes;
  if (memory != nullptr) {
    std::vector<double> streams(memory->bandwidth.size());
    for (Rank rank = 0; rank < (all_copy ? demand.parameters.nodes : 1); ++rank)
      streams[static_cast<std::size_t>(memory->home(rank))] += 2;  // read and written
    for (std::size_t bank = 0; bank < streams.size(); ++bank)
      per_byte = std::max(per_byte, streams[bank] / memory->bandwidth[bank]);
  }
  return per_byte * static_cast<double>(demand.bytes);
}

/// Does it, and returns "" or why it could not be done, so that a campaign goes on with the others.
template <class Do>
std::string failure_of(Do&& what) {
  try {
    what();
    return "";
  } catch (const UsageError& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "there is not enough memory for it";
  } catch (const std::runtime_error& error) {  // SystemError, std::system_error, a time limit
    return error.what();
  }
}

}  // namespace

/// Holds an experiment with everything that follows from it.
struct Experimenter::Placed {
  PlacedCall call;
  Parameters parameters;  ///< of the algorithm, with its segments and its hierarchy
  PortBanks banks;
  CostModel costs;

  const Algorithm& algorithm() const { return *call.candidate.algorithm; }
};

Experimenter::Experimenter(const Campaign& campaign)
    : campaign_(campaign),
      machine_(campaign.machine ? Machine::parse(*campaign.machine) : Machine::discover()),
      costs_(chosen_costs(cost_options(campaign), 2, 1, &machine_)),
      speeds_(bank_speeds(memory_options(campaign), machine_, costs_)) {
  beginning_ = {.campaign = campaign,
                .version = std::string(version()),
                .kernel = kernel(),
                .begun = utc_now(),
                .machine = record_of(machine_),
                .costs = {.t_s = costs_.costs.t_s,
                          .t_w = costs_.costs.t_w,
                          .t_op = costs_.costs.t_op,
                          .source = costs_.source,
                          .bank_bandwidth = speeds_.bandwidth,
                          .bandwidth_source = speeds_.bandwidth.empty() ? "not known"
                                              : campaign.bank_bandwidth
                                                  ? speeds_.source
                                                  : speeds_.source + "; not for what is in the caches",
                          .digest = digest(basis_of(costs_, speeds_))}};
  if (beginning_.machine.measured) beginning_.environment = vnode_environment();
}

/// Returns the costs on a mapping: where a profile tells what pairs cost, those of the farthest two nodes, as
/// a team's are.
CostModel Experimenter::costs_on(const Mapping& mapping) const {
  if (!costs_.profile) return costs_.costs;
  CostModel costs = cost_model(*costs_.profile, machine_, mapping.pu);
  costs.t_op = costs_.costs.t_op;
  return costs;
}

/// Returns the mapping, which is made once: to look for the optimised one takes longer than everything else.
const Mapping& Experimenter::mapping_of(const Experiment& experiment, const Topology& topology) {
  const auto key = std::tuple(experiment.nodes, experiment.topology, experiment.mapping);
  const auto known = mappings_.find(key);
  if (known != mappings_.end()) return known->second;
  return mappings_
      .emplace(key, mapping_by(machine_, topology, experiment.mapping,
                               {.seed = static_cast<std::uint64_t>(campaign_.seed)}))
      .first->second;
}

Experimenter::Placed Experimenter::placed(const Experiment& experiment) {
  const Topology topology(Shape::parse(experiment.topology), experiment.nodes);
  const Mapping& mapping = mapping_of(experiment, topology);
  const CostModel costs = costs_on(mapping);
  Demand demand;
  demand.collective = experiment.collective;
  demand.parameters = {.nodes = experiment.nodes,
                       .root = experiment.root,
                       .extents = mesh_extents(topology),
                       .shift = 1,
                       .segments = 0};
  demand.bytes = experiment.bytes;
  if (experiment.algorithm != "auto")
    demand.algorithm = vnode::algorithm(demand.collective, experiment.algorithm).name;
  check_choice(demand, ", or another algorithm by name");
  if (demand.algorithm.empty() || needs(vnode::algorithm(demand.algorithm), Need::domains)) {
    demand.parameters.hierarchy = machine_hierarchy(machine_, mapping);
    demand.near = near_costs(costs_.profile ? *costs_.profile : guessed_profile(machine_), machine_,
                             mapping.pu, demand.parameters.hierarchy, costs);
  }
  if (costs_.profile && machine_.this_system) demand.tuned = costs_.profile->tuned;  // as a team does
  Candidate candidate = choose(demand, topology, costs);
  Parameters parameters = demand.parameters;
  parameters.segments = candidate.segments;
  parameters.hierarchy = candidate.hierarchy;
  PortBanks banks(machine_, mapping, topology, experiment.banks);
  return {{std::move(demand), std::move(candidate), topology, mapping, experiment.banks},
          std::move(parameters),
          std::move(banks),
          costs};
}

void Experimenter::predict(const Placed& placed, Outcome& outcome) const {
  const Algorithm& algorithm = placed.algorithm();
  const double transfers = transfers_of(algorithm, placed.parameters);
  if (transfers > most_transfers_of_a_trial ||
      transfers * placed.parameters.nodes > most_simulated_times_nodes)
    return;
  const Topology& topology = placed.call.topology;
  const Schedule schedule = algorithm.build(placed.parameters);
  const Volume volume = volume_of(contract(algorithm.collective, placed.parameters, schedule.blocks()),
                                  placed.call.demand.bytes);
  const Interconnect interconnect(topology, routing_of(&algorithm, topology));
  const Hockney costs{placed.costs.t_s, placed.costs.t_w};
  SimulationOptions options =
      simulation_options(ports(algorithm, placed.parameters), costs_, machine_, placed.call.mapping.pu);
  options.timeline = false;
  if (costs_.profile) {
    options.eager_to = static_cast<double>(placed.costs.eager_to);
    options.shared_from = static_cast<double>(placed.costs.shared_from);
  }
  const auto seconds = [&] {
    double sum = simulate(schedule, volume, interconnect, options).seconds;
    if (costs_.profile)
      sum += own_copy_seconds(placed.call.demand, costs.t_w, options.memory ? &*options.memory : nullptr);
    return sum;
  };
  // What is in the caches does not come from banks, unless somebody says what these deliver.
  const double cached = campaign_.bank_bandwidth
                            ? 0
                            : cached_share(CollectiveData::total_bytes(placed.call.demand),
                                           static_cast<double>(caches_of(machine_, placed.call.mapping.pu)));
  const bool known = !speeds_.bandwidth.empty() && cached < 1;
  double predicted = known && cached == 0 ? 0 : seconds();
  if (known) {
    options.memory = placed.banks.memory(speeds_.bandwidth, speeds_.between);
    predicted = cached * predicted + (1 - cached) * seconds();
  }
  outcome.predicted = predicted;
  if (costs.t_w <= 0) return;
  const MemoryBanks memory =
      known ? *options.memory
            : placed.banks.memory(std::vector<double>(machine_.numas.size(), 1 / costs.t_w));
  const BankCondition condition = bank_condition(schedule, volume, interconnect, memory, costs);
  const BankLoad load = condition.tightest();
  outcome.need = {.bank = load.bank, .streams = load.streams};
  if (!known || load.bank < 0) return;
  outcome.need.feeds = condition.most[static_cast<std::size_t>(load.bank)];
  outcome.need.factor = load.factor;
  outcome.need.holds = condition.holds();
}

void Experimenter::measure(const Placed& placed, Outcome& outcome) const {
  if (!beginning_.machine.measured) return;
  const std::size_t pus = machine_.allowed_pus().size();
  if (std::cmp_greater(placed.call.mapping.pu.size(), pus)) {
    outcome.not_measured = fmt::format("{} on {} would wait for each other, not for memory",
                                       counted(placed.call.mapping.pu.size(), "node"), counted(pus, "PU"));
    return;
  }
  outcome.not_measured = failure_of([&] {
    MeasuredPlacement measured = measured_placement(placed.call, campaign_.repeats);
    outcome.measured = measured.times;
    outcome.pages = measured.pages;
    outcome.degraded = std::move(measured.degraded);
  });
}

Outcome Experimenter::outcome(const Experiment& experiment) {
  Outcome outcome{.when = utc_now()};
  const std::string refused = failure_of([&] {
    const Placed placed = this->placed(experiment);
    outcome.algorithm = placed.algorithm().name;
    outcome.segments = placed.call.candidate.segments;
    predict(placed, outcome);
    measure(placed, outcome);
  });
  if (!refused.empty()) outcome = {.refused = refused, .when = outcome.when};
  return outcome;
}

}  // namespace vnode
