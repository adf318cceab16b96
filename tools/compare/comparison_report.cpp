#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "base/bytes.hpp"
#include "compare/comparison.hpp"
#include "options/machines.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Names = std::vector<std::string>;

/// Returns "broadcast_pipeline, k = 12".
std::string name_of(const Contest& contest, const Entry& entry) {
  return fmt::format("{}{}", entry_name(contest, entry),
                     entry.algorithm->segments ? fmt::format(", k = {}", entry.segments) : "");
}

/// Holds what is shown on one line: an entry, or several with the same times, of which the best is the first.
using Tied = std::vector<const Entry*>;

std::vector<Tied> lines_of(const Comparison& comparison) {
  std::vector<Tied> lines;
  std::size_t size = 0;  // where the lines of this one begin
  for (const Entry& entry : comparison.entries) {
    if (!lines.empty() && lines.back().front()->bytes != entry.bytes) size = lines.size();
    const auto line = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(size), lines.end(),
                                   [&](const Tied& one) { return tied(*one.front(), entry); });
    if (line == lines.end())
      lines.push_back({&entry});
    else
      line->insert(entry.best ? line->begin() : line->end(), &entry);
  }
  return lines;
}

/// Holds the sets of algorithms that have the same times somewhere; each has a number, from 1.
class Ties {
 public:
  Ties(const Contest& contest, const std::vector<Tied>& lines) : contest_(contest) {
    for (const Tied& line : lines)
      if (line.size() > 1 && number(line) > sets_.size()) sets_.push_back(names(line));
  }
  std::string mark(const Tied& line) const {
    return line.size() > 1 ? fmt::format(" [{}]", number(line)) : "";
  }
  Names notes() const {
    Names notes;
    for (const Names& set : sets_)
      notes.push_back(fmt::format("[{}] the same times: {}", notes.size() + 1, fmt::join(set, ", ")));
    return notes;
  }

 private:
  /// Returns the set's number, or the next one if it has none.
  std::size_t number(const Tied& line) const {
    return static_cast<std::size_t>(std::ranges::find(sets_, names(line)) - sets_.begin()) + 1;
  }
  Names names(const Tied& line) const {
    Names names;
    for (const Entry* const entry : line) names.push_back(entry_name(contest_, *entry));
    return names;
  }
  const Contest& contest_;
  std::vector<Names> sets_;
};

std::string not_simulated(const Comparison& comparison) {
  std::vector<std::string_view> names;
  for (const Entry& entry : comparison.entries)
    if (!entry.predicted.back() && std::ranges::find(names, entry.algorithm->name) == names.end())
      names.push_back(entry.algorithm->name);
  return fmt::format("-: not simulated, for it has more than {} transfers: {}", most_simulated_transfers,
                     fmt::join(names, ", "));
}

void add_beginnings(Names& notes, const Comparison& comparison) {
  if (!comparison.beginnings) return;
  const Beginnings& beginnings = *comparison.beginnings;
  if (!beginnings.together) {
    notes.push_back(
        "measured without a common start, since there are more nodes than cores: from the first that begins");
    return;
  }
  notes.push_back(fmt::format("measured from a common start; {} of {} rounds began late and do not count",
                              beginnings.late, beginnings.rounds));
  if (std::ranges::any_of(comparison.entries, &Entry::late))
    notes.push_back("(late): all its rounds began late, and count");
}

std::string comparison_title(const Contest& contest) {
  return fmt::format("{} on {}, {}", enums::name(contest.demand.collective),
                     nodes_text(contest.topology.nodes(), contest.machines), contest.topology.text());
}

/// Returns the time of a measured entry divided by the predicted one; nothing where nothing was predicted.
std::optional<double> ratio(const Entry& entry, std::size_t kind) {
  if (!entry.predicted[kind]) return std::nullopt;
  return *entry.measured / *entry.predicted[kind];
}

/// Returns a line of names, and for each size a line for each algorithm; algorithms with the same times have
/// one line together, unless they were measured. The first cell is the size in the first line of each size,
/// and empty in the others.
std::vector<Names> comparison_rows(const Contest& contest, const Comparison& comparison) {
  const bool with_times = measured(comparison);
  std::vector<Names> rows{{"m", "  algorithm"}};
  rows.front().insert(rows.front().end(), comparison.kinds.begin(), comparison.kinds.end());
  if (with_times) {
    rows.front().push_back("measured");
    for (const std::string& kind : comparison.kinds) rows.front().push_back("/ " + kind);
  }
  const std::vector<Tied> lines = lines_of(comparison);
  const Ties ties(contest, lines);
  std::size_t bytes = 0;
  for (const Tied& line : lines) {
    const Entry& entry = *line.front();
    Names& row = rows.emplace_back();
    row = {entry.bytes != bytes ? bytes_text(entry.bytes) : "",
           fmt::format("{} {}{}{}{}", entry.best ? '*' : ' ', name_of(contest, entry),
                       entry.carried ? "" : " (c)", ties.mark(line), entry.late ? " (late)" : "")};
    bytes = entry.bytes;
    for (const auto& seconds : entry.predicted) row.push_back(seconds ? shown_time(*seconds) : "-");
    if (!with_times) continue;
    row.push_back(entry.measured ? shown_time(*entry.measured) : "-");
    for (std::size_t kind = 0; kind < entry.predicted.size(); ++kind) {
      const auto quotient = entry.measured ? ratio(entry, kind) : std::nullopt;
      row.push_back(quotient ? fmt::format("{:.2f}", *quotient) : "-");
    }
  }
  return rows;
}

/// Returns what there is to say of these rows, a sentence or a list each.
Names comparison_notes(const Contest& contest, const Comparison& comparison) {
  Names notes = Ties(contest, lines_of(comparison)).notes();
  notes.push_back(fmt::format(
      "*: {}the least estimate, or of those within 5 % of it the one that starts the fewest messages{}",
      contest.only.empty() ? "the one that is chosen: " : "",
      contest.machines == 1 ? "; formula: the textbook's T" : ""));
  if (std::ranges::any_of(comparison.entries, [](const Entry& entry) { return !entry.carried; }))
    notes.push_back(
        fmt::format("(c): does not promise load 1 on {}; estimate and formula count no congestion",
                    contest.topology.text()));
  if (std::ranges::any_of(comparison.entries, [](const Entry& entry) { return !entry.predicted.back(); }))
    notes.push_back(not_simulated(comparison));
  add_beginnings(notes, comparison);
  return notes;
}

std::string comparison_table(const Contest& contest, const Comparison& comparison, std::size_t width) {
  std::string text = fmt::format("{}\n{}\n\n", comparison_title(contest),
                                 folded(costs_text(contest.costs, contest.machines), width, hanging));
  const std::string lines = table(comparison_rows(contest, comparison), 2, width);
  // A line that begins with the size begins its group.
  bool first = true;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at) + 1;
    if (lines[at] != ' ' && lines[at] != '\n' && at > 0) {
      if (!first && !text.ends_with("\n\n")) text += '\n';
      first = false;
    }
    text.append(lines, at, end - at);
    at = end;
  }
  text += '\n';
  for (const std::string& note : comparison_notes(contest, comparison))
    text += folded(note, width, hanging) + '\n';
  return text;
}

using Json = nlohmann::ordered_json;

Json json_or_null(std::optional<double> value) { return value ? Json(*value) : Json(); }

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
  Plot plot = plot_of(contest, comparison);
  plot.title = comparison_title(contest);
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
