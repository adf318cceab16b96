#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "compare/comparison.hpp"
#include "terminal/csv.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

Json json_or_null(std::optional<double> value) { return value ? Json(*value) : Json(); }

/// Returns the entries of each algorithm and form, in the order of the register.
std::vector<std::vector<const Entry*>> by_name(const Contest& contest, const Comparison& comparison) {
  std::vector<std::vector<const Entry*>> groups;
  std::map<std::string, std::size_t> places;
  for (const Entry& entry : comparison.entries) {
    const auto [at, added] = places.try_emplace(entry_name(contest, entry), groups.size());
    if (added) groups.emplace_back();
    groups[at->second].push_back(&entry);
  }
  return groups;
}

/// Returns the plot of the comparison. Throws UsageError if no time has a place on the axes.
Plot plot_of(const Contest& contest, const Comparison& comparison) {
  const bool with_times = measured(comparison);
  Plot plot{.title = comparison_title(contest),
            .x = {"m, bytes", Plot::Unit::bytes},
            .y = {"time", Plot::Unit::seconds}};
  plot.legend = {{Plot::Stroke::solid, fmt::format("predicted by {}", comparison.kinds.front())}};
  if (with_times) plot.legend.push_back({Plot::Stroke::dashed, "measured"});
  int group = 0;
  for (const auto& entries : by_name(contest, comparison)) {
    // A time of 0, as of one node alone, has no place on the axis.
    Plot::Line predicted{.label = entry_name(contest, *entries.front()), .group = group};
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
  return plot;
}

std::string comparison_json(const Contest& contest, const Comparison& comparison) {
  const CostModel& costs = contest.costs.costs;
  Json json{{"collective", enums::name(contest.demand.collective)},
            {"nodes", contest.topology.nodes()},
            {"topology", contest.topology.text()},
            {"machines", contest.machines},
            {"costs", contest.costs.source},
            {"t_s", costs.t_s},
            {"t_w", costs.t_w},
            {"t_op", costs.t_op},
            {"t_put", costs.t_put},
            {"o", costs.o},
            {"nodes_per_pu", costs.nodes_per_pu}};
  if (comparison.beginnings)
    json["beginnings"] = {{"together", comparison.beginnings->together},
                          {"rounds", comparison.beginnings->rounds},
                          {"late", comparison.beginnings->late}};
  Json& rows = json["rows"] = Json::array();
  for (const Entry& entry : comparison.entries) {
    Json row{{"bytes", entry.bytes},       {"algorithm", entry.algorithm->name},
             {"segments", entry.segments}, {"domains", entry.hierarchy.text()},
             {"load_1", entry.carried},    {"best", entry.best}};
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
  std::vector<std::string> fields{"bytes", "algorithm", "segments", "domains", "load_1", "best"};
  for (const std::string& kind : comparison.kinds) fields.push_back(fmt::format("predicted_{}_us", kind));
  if (with_times) {
    fields.emplace_back("measured_us");
    for (const std::string& kind : comparison.kinds) fields.push_back(fmt::format("ratio_{}", kind));
  }
  std::string text = csv_line(fields);
  for (const Entry& entry : comparison.entries) {
    fields = {fmt::to_string(entry.bytes), std::string(entry.algorithm->name), fmt::to_string(entry.segments),
              entry.hierarchy.text(),      entry.carried ? "1" : "0",          entry.best ? "1" : "0"};
    for (const auto& seconds : entry.predicted) fields.push_back(csv_microseconds(seconds));
    if (with_times) fields.push_back(csv_microseconds(entry.measured));
    for (std::size_t kind = 0; with_times && kind < comparison.kinds.size(); ++kind) {
      const auto quotient = ratio(entry, kind);
      fields.push_back(quotient ? fmt::format("{:.4g}", *quotient) : "");
    }
    text += csv_line(fields);
  }
  return text;
}

std::string comparison_svg(const Contest& contest, const Comparison& comparison, Theme theme) {
  const Plot plot = plot_of(contest, comparison);
  if (plot.lines.empty())
    throw UsageError("every time is 0, and a plot is logarithmic: give --ts or --tw, or another --format");
  return to_svg(plot, theme);
}

std::string comparison_html(const Contest& contest, const Comparison& comparison, Theme theme) {
  ReportPage report{.title = comparison_title(contest),
                    .words = {costs_text(contest.costs, contest.machines)}};
  Plot plot = plot_of(contest, comparison);
  plot.title = "Time over size";
  // The title says which collective's.
  const std::string prefix = fmt::format("{}_", enums::name(contest.demand.collective));
  for (Plot::Line& line : plot.lines)
    if (line.label.starts_with(prefix)) line.label.erase(0, prefix.size());
  plot.width = narrow_width(plot);
  auto rows = comparison_rows(contest, comparison);
  // A page shows texts first, and has room for the size in every row.
  std::string size;
  for (auto& row : rows) {
    size = row[0].empty() ? size : row[0];
    row[0] = row[1].substr(row[1].find_first_not_of(' '));
    row[1] = size;
  }
  ReportPage::Table table{.caption = "Times and quotients", .head = rows.front()};
  table.rows.assign(rows.begin() + 1, rows.end());
  ReportPage::Figure figure{.table = std::move(table)};
  if (!plot.lines.empty()) figure.plot = std::move(plot);
  report.sections.push_back({"Algorithms", {std::move(figure)}});
  for (std::string& note : comparison_notes(contest, comparison)) report.notes.push_back(std::move(note));
  return page(report, theme);
}

}  // namespace

std::string comparison_report(const Contest& contest, const Comparison& comparison,
                              const ReportOptions& options) {
  switch (options.form) {
    case ReportOptions::Form::json:
      return comparison_json(contest, comparison);
    case ReportOptions::Form::csv:
      return comparison_csv(comparison);
    case ReportOptions::Form::svg:
      return comparison_svg(contest, comparison, options.theme);
    case ReportOptions::Form::html:
      return comparison_html(contest, comparison, options.theme);
    case ReportOptions::Form::table:
      break;
  }
  return comparison_table(contest, comparison, terminal_width());
}

}  // namespace vnode
