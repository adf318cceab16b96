#include "compare/comparison_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include <vnode/error.hpp>
#include <vnode/plot.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

bool measured(const Comparison& comparison) {
  return std::ranges::any_of(comparison.entries,
                             [](const Entry& entry) { return entry.measured.has_value(); });
}

std::string title(const Contest& contest) {
  return fmt::format("{} on {}, {}", name(contest.demand.collective),
                     counted(contest.topology.nodes(), "node"), contest.topology.text());
}

std::optional<double> ratio(const Entry& entry, std::size_t kind) {
  if (!entry.predicted[kind]) return std::nullopt;
  return *entry.measured / *entry.predicted[kind];
}

/// Its algorithms, each once.
std::string not_simulated(const Comparison& comparison) {
  std::vector<std::string_view> names;
  for (const Entry& entry : comparison.entries)
    if (!entry.predicted.back() && std::ranges::find(names, entry.algorithm->name) == names.end())
      names.push_back(entry.algorithm->name);
  return names.empty() ? ""
                       : fmt::format("-: not simulated, for it has more than {} transfers: {}\n",
                                     most_simulated_transfers, fmt::join(names, ", "));
}

Json json_or_null(std::optional<double> value) { return value ? Json(*value) : Json(); }

std::string header(const Comparison& comparison) {
  std::string text = fmt::format("{:<10}  {:<34}{:>9}", "m", "algorithm", "segments");
  for (const std::string& kind : comparison.kinds) text += fmt::format("{:>14}", kind + " us");
  if (measured(comparison)) {
    text += fmt::format("{:>14}", "measured us");
    for (const std::string& kind : comparison.kinds) text += fmt::format("{:>12}", "/ " + kind);
  }
  return text + '\n';
}

std::string row(const Entry& entry, bool first) {
  std::string text =
      fmt::format("{:<10}{} {:<34}{:>9}", first ? bytes_text(entry.bytes) : "", entry.best ? '*' : ' ',
                  fmt::format("{}{}", entry.algorithm->name, entry.carried ? "" : " (c)"),
                  entry.algorithm->segments ? fmt::to_string(entry.segments) : "-");
  for (const auto& seconds : entry.predicted)
    text += seconds ? fmt::format("{:>14.3f}", *seconds * 1e6) : fmt::format("{:>14}", '-');
  if (entry.measured) {
    text += fmt::format("{:>14.3f}", *entry.measured * 1e6);
    for (std::size_t kind = 0; kind < entry.predicted.size(); ++kind) {
      const auto quotient = ratio(entry, kind);
      text += quotient ? fmt::format("{:>12.2f}", *quotient) : fmt::format("{:>12}", '-');
    }
    if (entry.late) text += "  (late)";
  }
  return text + '\n';
}

bool any_late(const Comparison& comparison) {
  return std::ranges::any_of(comparison.entries, [](const Entry& entry) { return entry.late; });
}

std::string beginnings_text(const Beginnings& beginnings, bool any_late) {
  if (!beginnings.together)
    return "measured without a common start, since there are more nodes than cores: from the first that "
           "begins\n";
  std::string text =
      fmt::format("measured from a common start; {} of {} rounds began late and do not count\n",
                  beginnings.late, beginnings.rounds);
  if (any_late) text += "(late): all its rounds began late, and count\n";
  return text;
}

/// The entries of each algorithm, in the order of the register.
std::vector<std::vector<const Entry*>> by_algorithm(const Comparison& comparison) {
  std::vector<std::vector<const Entry*>> groups;
  std::map<const Algorithm*, std::size_t> places;
  for (const Entry& entry : comparison.entries) {
    const auto [at, added] = places.try_emplace(entry.algorithm, groups.size());
    if (added) groups.emplace_back();
    groups[at->second].push_back(&entry);
  }
  return groups;
}

}  // namespace

std::string comparison_table(const Contest& contest, const Comparison& comparison) {
  const CostModel& costs = contest.costs.costs;
  std::string text = fmt::format(
      "{}\ncosts, {}: t_s = {:.1f} ns, t_w = {:.4f} ns per byte, t_op = {:.4f} ns per byte, t_put = {:.4f} "
      "ns per byte\n\n{}",
      title(contest), contest.costs.source, costs.t_s * 1e9, costs.t_w * 1e9, costs.t_op * 1e9,
      costs.t_put * 1e9, header(comparison));
  std::size_t bytes = 0;
  for (const Entry& entry : comparison.entries) {
    if (bytes != 0 && entry.bytes != bytes) text += '\n';
    text += row(entry, entry.bytes != bytes);
    bytes = entry.bytes;
  }
  text += "\n*: the one that is chosen, the least estimate; formula: the textbook's T\n";
  if (std::ranges::any_of(comparison.entries, [](const Entry& entry) { return !entry.carried; }))
    text += fmt::format("(c): does not promise load 1 on {}; estimate and formula count no congestion\n",
                        contest.topology.text());
  text += not_simulated(comparison);
  if (comparison.beginnings) text += beginnings_text(*comparison.beginnings, any_late(comparison));
  return text;
}

std::string comparison_json(const Contest& contest, const Comparison& comparison) {
  const CostModel& costs = contest.costs.costs;
  Json json{{"collective", name(contest.demand.collective)},
            {"nodes", contest.topology.nodes()},
            {"topology", contest.topology.text()},
            {"costs", contest.costs.source},
            {"t_s", costs.t_s},
            {"t_w", costs.t_w},
            {"t_op", costs.t_op},
            {"t_put", costs.t_put}};
  if (comparison.beginnings)
    json["beginnings"] = {{"together", comparison.beginnings->together},
                          {"rounds", comparison.beginnings->rounds},
                          {"late", comparison.beginnings->late}};
  Json& rows = json["rows"] = Json::array();
  for (const Entry& entry : comparison.entries) {
    Json row{{"bytes", entry.bytes},
             {"algorithm", entry.algorithm->name},
             {"segments", entry.segments},
             {"load_1", entry.carried},
             {"best", entry.best}};
    for (std::size_t kind = 0; kind < comparison.kinds.size(); ++kind)
      row["predicted"][comparison.kinds[kind]] = json_or_null(entry.predicted[kind]);
    if (entry.measured) {
      row["measured"] = *entry.measured;
      row["late"] = entry.late;
      for (std::size_t kind = 0; kind < comparison.kinds.size(); ++kind)
        row["ratio"][comparison.kinds[kind]] = json_or_null(ratio(entry, kind));
    }
    rows.push_back(std::move(row));
  }
  return json.dump(2) + '\n';
}

std::string comparison_csv(const Comparison& comparison) {
  const bool with_times = measured(comparison);
  std::string text = "bytes,algorithm,segments,load_1,best";
  for (const std::string& kind : comparison.kinds) text += fmt::format(",predicted_{}_us", kind);
  if (with_times) {
    text += ",measured_us";
    for (const std::string& kind : comparison.kinds) text += fmt::format(",ratio_{}", kind);
  }
  text += '\n';
  for (const Entry& entry : comparison.entries) {
    text += fmt::format("{},{},{},{},{}", entry.bytes, entry.algorithm->name, entry.segments,
                        int{entry.carried}, int{entry.best});
    for (const auto& seconds : entry.predicted)
      text += seconds ? fmt::format(",{:.6g}", *seconds * 1e6) : ",";
    if (with_times) text += fmt::format(",{:.6g}", *entry.measured * 1e6);
    for (std::size_t kind = 0; with_times && kind < comparison.kinds.size(); ++kind) {
      const auto quotient = ratio(entry, kind);
      text += quotient ? fmt::format(",{:.4g}", *quotient) : ",";
    }
    text += '\n';
  }
  return text;
}

std::string comparison_svg(const Contest& contest, const Comparison& comparison, Theme theme) {
  const bool with_times = measured(comparison);
  Plot plot{
      .title = title(contest), .x = {"m, bytes", Plot::Unit::bytes}, .y = {"time", Plot::Unit::seconds}};
  plot.legend = {{Plot::Stroke::solid, fmt::format("predicted by {}", comparison.kinds.front())}};
  if (with_times) plot.legend.push_back({Plot::Stroke::dashed, "measured"});
  int group = 0;
  for (const auto& entries : by_algorithm(comparison)) {
    // A time of 0, as of one node alone, has no place on the axis.
    Plot::Line predicted{.label = std::string(entries.front()->algorithm->name), .group = group};
    Plot::Line taken{.group = group, .stroke = Plot::Stroke::dashed};
    for (const Entry* const entry : entries) {
      const auto m = static_cast<double>(entry->bytes);
      if (entry->predicted.front() > 0.0) predicted.points.push_back({m, *entry->predicted.front()});
      if (entry->measured) taken.points.push_back({m, *entry->measured});
    }
    if (!predicted.points.empty()) plot.lines.push_back(std::move(predicted));
    if (!taken.points.empty()) plot.lines.push_back(std::move(taken));
    ++group;
  }
  if (plot.lines.empty())
    throw UsageError("every time is 0, and a plot is logarithmic: give --ts or --tw, or another --format");
  return to_svg(plot, theme);
}

}  // namespace vnode
