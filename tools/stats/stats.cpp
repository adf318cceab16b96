#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/statistics_json.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/select.hpp>
#include <vnode/topology.hpp>

#include "base/counted.hpp"
#include "commands.hpp"
#include "files/file.hpp"
#include "options/costs.hpp"
#include "options/written.hpp"
#include "terminal/listing.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

struct StatsOptions {
  std::vector<std::string> files;
  CostOptions costs;
  Format format = Format::text;
};

/// Holds what the calls of a row are predicted to take, by the algorithm that was used and by the one that
/// the choice would take for a message of their mean size.
struct RowPrediction {
  std::optional<double> seconds{};  ///< a call's, of a message too; nothing where there is no prediction
  std::string best{};               ///< the algorithm; empty: there is none to choose
  std::optional<double> best_seconds{};

  /// Tells whether the best is another one, by more than predictions differ anyway.
  bool is_better() const {
    return seconds && best_seconds && *best_seconds * (1 + prediction_noise) < *seconds;
  }
};

/// Holds a team's statistics, and what is predicted for each of the rows.
struct CountedTeam {
  Statistics statistics;
  std::string source;  ///< of the costs
  std::vector<RowPrediction> predictions{};
};

/// The beginning of Statistics::text().
constexpr std::string_view statistics_table = "calls of a team of ";

/// Reads teams from a file, one from each line.
void read_teams(const std::string& file, std::vector<Statistics>& teams) {
  const std::string text = read_file(file, most_results_bytes);
  if (text.starts_with(statistics_table))
    throw UsageError(
        fmt::format("{}: it is a table for people: `vnode stats` reads the JSON of VNODE_STATS=FILE, whose "
                    "name does not end in .txt",
                    file));
  const std::size_t before = teams.size();
  for (std::size_t begin = 0, line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view one = std::string_view(text).substr(begin, end - begin);
    if (one.find_first_not_of(" \t\r") != one.npos)
      teams.push_back(statistics_from_json(one, fmt::format("{}, statistics of line {}", file, line)));
    begin = end + 1;
  }
  if (teams.size() == before)
    throw UsageError(fmt::format(
        "{}: it has no statistics: a program that runs with VNODE_STATS={} writes a line for each team", file,
        file));
}

std::optional<Collective> collective_called(const std::string& operation) {
  const auto all = algorithms();
  const auto found = std::ranges::find_if(
      all, [&](const Algorithm& algorithm) { return enums::name(algorithm.collective) == operation; });
  return found != all.end() ? std::optional(found->collective) : std::nullopt;
}

/// Predicts the time of a message outside of collectives.
double message_seconds(double bytes, const CostModel& costs) {
  const double startups = 1 + std::min(bytes / std::max(static_cast<double>(costs.eager_to), 1.0), 1.0);
  return startups * costs.t_s + bytes * costs.t_w;
}

/// Predicts the time of the algorithm that was used, also where the choice would not take it.
std::optional<double> seconds_of(const std::string& used, Demand demand, const Topology& topology,
                                 const CostModel& costs) try {
  demand.algorithm = used;
  return choose(demand, topology, costs).seconds;
} catch (const UsageError&) {
  return {};  // it is no algorithm of the registry: a schedule of the user's, or another version's
}

/// Predicts the time of a row's calls by these costs. Calls with a count for each rank, circular shifts,
/// exchanges, splits, and groups of one node have no prediction.
RowPrediction predicted_for(const CallStatistics& row, const GroupStatistics& group, CostModel costs) {
  RowPrediction prediction;
  costs.nodes_per_pu = group.nodes_per_pu;
  costs.turn = group.turn;
  const bool message = row.operation == "send" || row.operation == "recv" || row.operation == "sendrecv";
  if (message) prediction.seconds = message_seconds(row.mean_bytes(), costs);
  const auto collective = collective_called(row.operation);
  const auto nodes = static_cast<int>(group.nodes.size());
  // Without an algorithm it is an exchange, or an all_to_all as one.
  if (!collective || row.algorithm.empty() || row.varying || nodes < 2) return prediction;
  // How long a shift takes, and which algorithm does it best, depends on by how much, which nobody has
  // counted.
  if (*collective == Collective::circular_shift) return prediction;
  const Topology topology(Shape::parse(group.topology), nodes);
  Demand demand;
  demand.collective = *collective;
  demand.bytes = static_cast<std::size_t>(std::llround(row.mean_bytes()));
  demand.deterministic = row.deterministic;
  demand.parameters.nodes = nodes;
  demand.parameters.extents = mesh_extents(topology);
  demand.parameters.keep_order = row.in_order || row.deterministic;
  demand.parameters.radix = row.radix;
  demand.parameters.segments = 0;
  if (!group.hierarchy.empty()) demand.parameters.hierarchy = Hierarchy::parse(group.hierarchy, nodes);
  demand.near = group.near;
  const Candidate best = choose(demand, topology, costs);
  prediction.seconds = seconds_of(row.algorithm, demand, topology, costs);
  prediction.best = best.algorithm->name;
  prediction.best_seconds = best.seconds;
  return prediction;
}

CountedTeam foreseen(const CostOptions& options, Statistics statistics) {
  CountedTeam team{std::move(statistics), "of the team"};
  const Statistics& all = team.statistics;
  CostModel costs = all.costs.value_or(typical_costs);
  if (!all.costs) team.source = "typical, since the team had measured none";
  if (options.any()) {
    const CostChoice chosen = chosen_costs(options, all.nodes);
    costs = chosen.costs;
    team.source = chosen.source;
  }
  for (const CallStatistics& row : all.rows) {
    GroupStatistics group = all.groups.at(static_cast<std::size_t>(row.group));
    if (options.any()) group.near.clear();  // what near nodes cost belongs to the team's own costs
    team.predictions.push_back(predicted_for(row, group, costs));
  }
  return team;
}

/// Returns "all", "0-3,6" or "others"; nodes stand in the order of their ranks in the group.
std::string nodes_text(const Statistics& statistics, const CallStatistics& row) {
  const std::vector<Rank>& nodes = statistics.groups[static_cast<std::size_t>(row.group)].nodes;
  if (nodes.empty()) return "others";
  if (!std::ranges::is_sorted(nodes)) return fmt::format("{}", fmt::join(nodes, ","));
  return static_cast<int>(nodes.size()) == statistics.nodes ? "all" : number_ranges(nodes);
}

std::string operation_name(const CallStatistics& row) {
  return fmt::format("{}{}{}{}", row.operation, row.varying ? ", varying" : "",
                     row.in_order ? ", in order" : "", row.deterministic ? ", deterministic" : "");
}

std::string time_or_dash(std::optional<double> seconds) {
  return seconds ? shown_time(*seconds) : std::string("-");
}

std::string rank_or_dash(Rank rank) { return rank < 0 ? "-" : fmt::to_string(rank); }

void print_team(const CountedTeam& team, std::size_t width) {
  const Statistics& all = team.statistics;
  fmt::print("{}", folded(fmt::format("{} as {}{}, process {}, {} since {}",
                                      counted(static_cast<std::size_t>(all.nodes), "node"), all.topology,
                                      all.joined ? ", of threads that join" : "", all.process,
                                      shown_time(all.seconds), all.began),
                          width, hanging));
  fmt::print("\npredicted by costs {}\n\n", team.source);
  if (!all.on) return fmt::print("calls were not counted\n\n");
  if (all.rows.empty()) return fmt::print("no calls\n\n");
  std::vector<std::vector<std::string>> lines{{"operation", "algorithm", "nodes", "up to", "calls", "total",
                                               "mean", "least", "longest", "waiting", "awaited", "last",
                                               "predicted", "best", "of"}};
  std::vector<std::string> advice;
  double saved = 0;
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const CallStatistics& row = all.rows[i];
    const RowPrediction& prediction = team.predictions[i];
    lines.push_back({operation_name(row), row.algorithm.empty() ? "-" : row.algorithm, nodes_text(all, row),
                     row.varying ? "-" : shown_size(row.up_to_bytes), fmt::to_string(row.calls),
                     shown_time(row.seconds), shown_time(row.mean()), shown_time(row.least),
                     shown_time(row.longest),
                     fmt::format("{:.0f} %", row.seconds > 0 ? 100 * row.waiting / row.seconds : 0),
                     rank_or_dash(row.awaited), rank_or_dash(row.last), time_or_dash(prediction.seconds),
                     time_or_dash(prediction.best_seconds), prediction.best.empty() ? "-" : prediction.best});
    if (!prediction.is_better()) continue;
    const double less = (*prediction.seconds - *prediction.best_seconds) * static_cast<double>(row.calls);
    saved += less;
    advice.push_back(
        fmt::format("{} of {:.0f} bytes on nodes {}: {} was used, {} would take {} instead of {}, "
                    "{} less in {}",
                    operation_name(row), row.mean_bytes(), nodes_text(all, row), row.algorithm,
                    prediction.best, shown_time(*prediction.best_seconds), shown_time(*prediction.seconds),
                    shown_time(less), counted(row.calls, "call")));
  }
  constexpr std::size_t words = 3;
  fmt::print("{}\n", table(lines, words, width));
  for (const std::string& one : advice) fmt::print("{}\n", folded(one, width, hanging));
  if (!advice.empty())
    fmt::print("in all, as predicted: {} less on each node\n", shown_time(saved));
  else if (std::ranges::any_of(team.predictions,
                               [](const auto& one) { return one.best_seconds.has_value(); }))
    fmt::print("as predicted, no other algorithm would have taken less\n");
  else
    fmt::print("there is no prediction of what another algorithm would have taken\n");
  fmt::print("\n");
}

/// Returns all rows of all teams.
Listing listing_of_rows(const std::vector<CountedTeam>& teams) {
  Listing listing({"team",           "process",
                   "began",          "nodes",
                   "topology",       "operation",
                   "algorithm",      "group",
                   "group_topology", "up_to_bytes",
                   "varying",        "in_order",
                   "deterministic",  "calls",
                   "bytes",          "total_us",
                   "waiting_us",     "mean_us",
                   "least_us",       "longest_us",
                   "awaited",        "awaited_us",
                   "last",           "predicted_us",
                   "best",           "best_predicted_us",
                   "better"});
  constexpr double us = 1e6;
  const auto in_us = [](std::optional<double> seconds) {
    return seconds ? std::optional(*seconds * us) : std::nullopt;
  };
  const auto node = [](Rank rank) { return rank < 0 ? std::optional<int>() : rank; };
  for (std::size_t number = 0; number < teams.size(); ++number) {
    const Statistics& all = teams[number].statistics;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
      const CallStatistics& row = all.rows[i];
      const RowPrediction& prediction = teams[number].predictions[i];
      listing.row({number,
                   all.process,
                   all.began,
                   all.nodes,
                   all.topology,
                   row.operation,
                   row.algorithm,
                   nodes_text(all, row),
                   all.groups[static_cast<std::size_t>(row.group)].topology,
                   row.up_to_bytes,
                   row.varying,
                   row.in_order,
                   row.deterministic,
                   row.calls,
                   row.bytes,
                   row.seconds * us,
                   row.waiting * us,
                   row.mean() * us,
                   row.least * us,
                   row.longest * us,
                   node(row.awaited),
                   row.awaited_seconds * us,
                   node(row.last),
                   in_us(prediction.seconds),
                   prediction.best,
                   in_us(prediction.best_seconds),
                   prediction.is_better()});
    }
  }
  return listing;
}

void print_statistics(const StatsOptions& options) {
  std::vector<Statistics> read;
  for (const std::string& file : options.files) read_teams(file, read);
  std::vector<CountedTeam> teams;
  for (Statistics& statistics : read) teams.push_back(foreseen(options.costs, std::move(statistics)));
  switch (options.format) {
    case Format::json:
      return fmt::print("{}\n", listing_of_rows(teams).json());
    case Format::csv:
      return fmt::print("{}", listing_of_rows(teams).csv());
    case Format::text:
      for (const CountedTeam& team : teams) print_team(team, terminal_width());
  }
}

}  // namespace

void add_stats(const Command& program) {
  const auto options = std::make_shared<StatsOptions>();
  const Command command = program.command(
      "stats",
      "Show the statistics that VNODE_STATS=FILE has a program write, beside what is predicted, and what "
      "another algorithm would have taken");
  command.list("FILE", options->files, "what VNODE_STATS named; several are put one after the other")
      .type_name("")
      .required();
  add_costs(command, options->costs);
  add_cost_source(command, options->costs, "those of the team, or typical");
  add_choice_costs(command, options->costs);
  add_table_format(command, options->format);
  command.examples({{"VNODE_STATS=calls.json ./a.out && vnode stats calls.json",
                     "what a program called, how often, and how long it took"}});
  command.run([options] { print_statistics(*options); });
}

}  // namespace vnode
