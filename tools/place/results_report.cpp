#include "place/results_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <vnode/lab/charts.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "terminal/csv.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Fields = std::vector<std::string>;

std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string speed_field(const Experiment& experiment, std::optional<double> seconds) {
  return seconds && *seconds > 0 ? number(bandwidth(experiment, *seconds) * 1e-9) : "";
}

Fields need_fields(const BankNeed& need) {
  if (need.bank < 0) return {"", "", ""};
  return {number(need.streams), need.feeds ? number(*need.feeds) : "", need.feeds ? number(need.factor) : ""};
}

Fields measured_fields(const Experiment& experiment, const Outcome& outcome) {
  if (!outcome.measured) return {"", "", "", "", "", "", ""};
  const MeasuredTimes& times = *outcome.measured;
  const bool ratio = outcome.predicted && *outcome.predicted > 0;
  return {csv_microseconds(times.median),
          csv_microseconds(times.lower),
          csv_microseconds(times.upper),
          speed_field(experiment, times.median),
          ratio ? number(times.median / *outcome.predicted) : "",
          fmt::to_string(times.calls),
          fmt::to_string(times.late)};
}

Fields page_fields(const std::optional<PagesFound>& pages) {
  if (!pages) return {"", "", ""};
  return {fmt::to_string(pages->as_asked), fmt::to_string(pages->elsewhere), fmt::to_string(pages->nowhere)};
}

BarChart::Bar bar(const Experiment& experiment, double seconds, const std::string& what, bool outlined) {
  const double speed = bandwidth(experiment, seconds);
  return {.label = fmt::format("{} {}", enums::name(experiment.banks), what),
          .value = speed,
          .text = fmt::format("{:.3g} GB/s", speed * 1e-9),
          .group = static_cast<int>(experiment.banks),
          .outlined = outlined};
}

/// Returns what the bars of one cluster have in common.
std::string cluster_of(const Experiment& experiment, const Outcome& outcome) {
  return fmt::format("{}, {}, {}, {}, {}{}", algorithm_text(experiment, outcome),
                     counted(experiment.nodes, "node"), experiment.topology, experiment.mapping,
                     bytes_text(experiment.bytes), root_text(experiment));
}

std::string title_of(const Results& results) { return fmt::format("{}: placement", results.campaign.name); }

BarChart chart_of(const Results& results) {
  BarChart chart{.title = title_of(results),
                 .note = fmt::format("bandwidth, m by time, more is better; {}{}", results.machine.source,
                                     results.machine.measured ? "" : "; predicted only")};
  const std::vector<Experiment> all = experiments(results.campaign);
  std::map<std::string, std::size_t> places;
  std::set<std::pair<Banks, bool>> looks;
  for (std::size_t i = 0; i < results.outcomes.size(); ++i) {
    const Outcome& outcome = results.outcomes[i];
    const auto add = [&](double seconds, bool predicted) {
      const auto [at, fresh] = places.try_emplace(cluster_of(all[i], outcome), chart.clusters.size());
      if (fresh) chart.clusters.push_back({.title = at->first});
      chart.clusters[at->second].bars.push_back(
          bar(all[i], seconds, predicted ? "predicted" : "measured", predicted));
      looks.insert({all[i].banks, predicted});
    };
    if (outcome.predicted.value_or(0) > 0) add(*outcome.predicted, true);
    if (outcome.measured) add(outcome.measured->median, false);
  }
  for (const auto& [banks, predicted] : looks)
    chart.legend.push_back(
        {.text = fmt::format("banks {}, {}", enums::name(banks), predicted ? "predicted" : "measured"),
         .group = static_cast<int>(banks),
         .outlined = predicted});
  return chart;
}

std::size_t bars_of(const BarChart& chart) {
  std::size_t count = 0;
  for (const BarChart::Cluster& cluster : chart.clusters) count += cluster.bars.size();
  return count;
}

std::string results_csv(const Results& results) {
  std::string text =
      "collective,asked,algorithm,segments,nodes,topology,root,mapping,banks,bytes,predicted_us,predicted_gb_"
      "per_s,"
      "streams,feeds,t_w_factor,measured_us,lower_quartile_us,upper_quartile_us,measured_gb_per_s,ratio,"
      "calls,late,"
      "pages_as_asked,pages_elsewhere,pages_untouched,refused,not_measured\n";
  const std::vector<Experiment> all = experiments(results.campaign);
  for (std::size_t i = 0; i < results.outcomes.size(); ++i) {
    const Experiment& experiment = all[i];
    const Outcome& outcome = results.outcomes[i];
    const bool done = outcome.refused.empty();
    Fields fields{std::string(enums::name(experiment.collective)),
                  experiment.algorithm,
                  outcome.algorithm,
                  done ? fmt::to_string(outcome.segments) : "",
                  fmt::to_string(experiment.nodes),
                  experiment.topology,
                  has_root(experiment.collective) ? fmt::to_string(experiment.root) : "",
                  experiment.mapping,
                  std::string(enums::name(experiment.banks)),
                  fmt::to_string(experiment.bytes),
                  csv_microseconds(outcome.predicted),
                  speed_field(experiment, outcome.predicted)};
    const auto append = [&](const Fields& more) { fields.insert(fields.end(), more.begin(), more.end()); };
    append(need_fields(outcome.need));
    append(measured_fields(experiment, outcome));
    append(page_fields(outcome.pages));
    append({outcome.refused, outcome.not_measured});
    text += csv_line(fields);
  }
  return text;
}

std::string results_html(const Results& results, Theme theme) {
  ReportPage report{.title = title_of(results), .words = headings(results)};
  BarChart chart = chart_of(results);
  chart.title = "Bandwidth";  // what of, the page says
  const std::size_t bars = bars_of(chart);
  if (bars > max_drawn_bars)
    report.words.push_back(
        fmt::format("No picture: {} bars cannot be read, up to {} can.", bars, max_drawn_bars));
  else if (bars > 0)
    report.chart = std::move(chart);
  auto rows = result_rows(results);
  ReportPage::Table table{.caption = "Results", .head = rows.front()};
  table.rows.assign(rows.begin() + 1, rows.end());
  report.tables.push_back(std::move(table));
  for (const auto& [heading, sentences] : remarks(results)) {
    if (sentences.empty()) continue;
    ReportPage::Table remarks_table{.caption = heading, .head = {"experiment and reason"}};
    for (const std::string& sentence : sentences) remarks_table.rows.push_back({sentence});
    report.tables.push_back(std::move(remarks_table));
  }
  return page(report, theme);
}

}  // namespace

std::string results_report(const Results& results, const ReportOptions& options) {
  switch (options.form) {
    case ReportOptions::Form::json:
      return to_json(results);
    case ReportOptions::Form::csv:
      return results_csv(results);
    case ReportOptions::Form::svg:
      return to_svg(chart_of(results), options.theme);
    case ReportOptions::Form::html:
      return results_html(results, options.theme);
    case ReportOptions::Form::table:
      break;
  }
  return results_table(results, terminal_width());
}

}  // namespace vnode
