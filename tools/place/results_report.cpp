#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <vnode/lab/charts.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "place/reports.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

/// Returns "broadcast_mst", or "broadcast_mst (chosen)" where no algorithm was asked for.
std::string algorithm_text(const Experiment& experiment, const Outcome& outcome) {
  return outcome.algorithm + (experiment.algorithm == "auto" ? " (chosen)" : "");
}

/// Returns "4 of 2.5": S_b streams of the bank that feeds W_b t_w, or the streams alone.
std::string need_text(const BankNeed& need) {
  if (need.bank < 0) return "-";
  if (!need.feeds) return fmt::format("{:.3g} of ?", need.streams);
  return fmt::format("{:.3g} of {:.3g}{}", need.streams, *need.feeds,
                     need.holds ? "" : fmt::format(", t_w x {:.3g}", need.factor));
}

/// Returns "96 as asked, 4 elsewhere".
std::string pages_text(const PagesFound& pages) {
  std::string text = fmt::format("{} as asked", pages.as_asked);
  if (pages.elsewhere > 0) text += fmt::format(", {} elsewhere", pages.elsewhere);
  if (pages.nowhere > 0) text += fmt::format(", {} untouched", pages.nowhere);
  return text;
}

constexpr double per_giga = 1e-9;

std::string speed(const Experiment& experiment, double seconds) {
  return seconds > 0 ? fmt::format("{:.3f}", bandwidth(experiment, seconds) * per_giga) : "-";
}

/// Returns "1.234 to 1.345 us".
std::string spread_text(double lower, double upper) {
  const std::string from = shown_time(lower), to = shown_time(upper);
  const std::size_t unit = from.find(' ');
  const bool same =
      unit != from.npos && to.ends_with(from.substr(unit)) && to.find(' ') + from.size() - unit == to.size();
  return fmt::format("{} to {}", same ? from.substr(0, unit) : from, to);
}

std::vector<std::string> row(const Experiment& experiment, const Outcome& outcome, bool measured) {
  std::vector<std::string> cells{
      algorithm_text(experiment, outcome),
      fmt::format("{} {}{}", experiment.topology, experiment.nodes, root_text(experiment)),
      experiment.mapping,
      std::string(enums::name(experiment.banks)),
      bytes_text(experiment.bytes),
      outcome.predicted ? shown_time(*outcome.predicted) : "-",
      outcome.predicted ? speed(experiment, *outcome.predicted) : "-",
      need_text(outcome.need)};
  if (!measured) return cells;
  if (!outcome.measured) {
    cells.insert(cells.end(), {"-", "-", "-", "-", "-"});
    return cells;
  }
  const MeasuredTimes& times = *outcome.measured;
  cells.insert(
      cells.end(),
      {shown_time(times.median), spread_text(times.lower, times.upper), speed(experiment, times.median),
       outcome.predicted && *outcome.predicted > 0 ? fmt::format("{:.2f}", times.median / *outcome.predicted)
                                                   : "-",
       outcome.pages ? pages_text(*outcome.pages) : "-"});
  return cells;
}

/// Holds each sentence once, with the first experiment that it is about and their number.
class Notes {
 public:
  void add(const std::string& sentence, const Experiment& experiment) {
    auto& [first, count] = notes_.try_emplace(sentence, text(experiment), 0).first->second;
    ++count;
  }
  std::vector<std::string> sentences() const {
    std::vector<std::string> list;
    for (const auto& [sentence, where] : notes_)
      list.push_back(fmt::format("{}: {}{}", where.first, sentence,
                                 where.second > 1 ? fmt::format(" (and {} more)", where.second - 1) : ""));
    return list;
  }

 private:
  std::map<std::string, std::pair<std::string, int>> notes_;
};

/// Returns what results are of, a line each: the campaign, the machine, what predictions start from, and why
/// nothing is measured, if so.
std::vector<std::string> headings(const Results& results) {
  const MachineRecord& machine = results.machine;
  const CostRecord& costs = results.costs;
  const std::size_t all = experiments(results.campaign).size();
  std::vector<std::string> lines{fmt::format(
      "{}: {}{}", results.campaign.name, counted(all, "experiment"),
      results.outcomes.size() < all ? fmt::format(", {} of them done", results.outcomes.size()) : "")};
  if (!results.campaign.about.empty()) lines.push_back(results.campaign.about);
  lines.push_back(fmt::format(
      "{}{}{}: {}, {}, {} (digest {}); vnode {}, {}, {}", machine.source, machine.model.empty() ? "" : ", ",
      machine.model, counted(machine.banks, "bank"), counted(machine.cores, "core"),
      counted(machine.pus, "PU"), machine.digest, results.version, results.kernel, results.begun));
  std::string speeds =
      "banks: bandwidth not known, so memory is no limit in the predictions; --bank-bandwidth GB/S says it, "
      "vnode calibrate measures this machine's";
  if (!costs.bank_bandwidth.empty()) {
    const auto [least, most] = std::ranges::minmax(costs.bank_bandwidth);
    speeds = fmt::format("banks deliver {}{:g} GB/s each ({})",
                         least < most ? fmt::format("{:g} to ", least * per_giga) : "", most * per_giga,
                         costs.bandwidth_source);
  }
  lines.push_back(
      fmt::format("costs, {}: t_s = {:.1f} ns, t_w = {:.4f} ns per byte, t_op = {:.4f} ns per "
                  "byte; {}",
                  costs.source, costs.t_s * 1e9, costs.t_w * 1e9, costs.t_op * 1e9, speeds));
  if (!results.environment.empty())
    lines.push_back(fmt::format("environment: {}", fmt::join(results.environment, " ")));
  if (machine.measured && machine.banks == 1)
    lines.push_back(
        "this machine has one bank: mappings and algorithms are measured, where buffers lie makes no "
        "difference");
  if (!machine.measured && machine.banks == 1)
    lines.push_back(
        "this description has one bank, so where buffers lie makes no difference; NUMA nodes are described "
        "by "
        "numa, as in \"pack:2 numa:2 core:4 pu:1\"");
  if (machine.measured) return lines;
  if (costs.source.starts_with("typical") && !results.campaign.latencies)
    lines.push_back(
        "typical costs are the same for all pairs of PUs, near or far: --latencies FILE.csv tells them "
        "apart, and "
        "the documents bring those of seven machines, in docs/latencies");
  if (results.campaign.machine)
    lines.push_back("a machine that is described, not this one: all times are predicted");
  else
    lines.push_back("hwloc's environment describes another machine than this one: all times are predicted");
  return lines;
}

constexpr const char* all_ports =
    "^: for all ports, which work at the same time, as the textbook has it; a thread serves them one after "
    "the "
    "other, which vnode explain counts";
constexpr std::size_t predicted_column = 5, measured_column = 8;

/// Returns the line of names, and a line for each result that there is, with what is measured if anything can
/// be. The least times of each operation and size are marked by a star.
std::vector<std::vector<std::string>> result_rows(const Results& results) {
  const std::vector<Experiment> all = experiments(results.campaign);
  const bool measured = results.machine.measured;
  std::vector<std::vector<std::string>> rows{
      {"algorithm", "topology", "mapping", "banks", "m", "predicted", "GB/s", "S_b of W_b t_w"}};
  if (measured)
    rows.front().insert(rows.front().end(), {"measured", "quartiles", "GB/s", "/ predicted", "pages"});
  const auto seconds = [&](std::size_t i) -> std::optional<double> {
    const Outcome& outcome = results.outcomes[i];
    if (!measured) return for_all_ports(outcome) ? std::nullopt : outcome.predicted;
    return outcome.measured ? std::optional(outcome.measured->median) : std::nullopt;
  };
  // Times of different operations, or numbers of nodes, are no rivals.
  std::map<std::tuple<Collective, int, std::size_t>, double> least;
  const auto rivals = [&](std::size_t i) {
    return std::tuple(all[i].collective, all[i].nodes, all[i].bytes);
  };
  for (std::size_t i = 0; i < results.outcomes.size(); ++i)
    if (seconds(i)) {
      double& best = least.try_emplace(rivals(i), *seconds(i)).first->second;
      best = std::min(best, *seconds(i));
    }
  for (std::size_t i = 0; i < results.outcomes.size(); ++i) {
    if (!results.outcomes[i].refused.empty()) continue;
    rows.push_back(row(all[i], results.outcomes[i], measured));
    if (seconds(i) && *seconds(i) == least.at(rivals(i))) {
      std::string& time = rows.back()[measured ? measured_column : predicted_column];
      time.insert(0, "* ");
    }
    if (!measured && for_all_ports(results.outcomes[i])) rows.back()[predicted_column].insert(0, "^ ");
  }
  return rows;
}

/// Returns what could not be done, what was not simulated or measured and what the system refused: headings
/// with sentences, each with the first experiment that it is about.
std::vector<std::pair<std::string, std::vector<std::string>>> remarks(const Results& results) {
  const std::vector<Experiment> all = experiments(results.campaign);
  Notes refused, unsimulated, unmeasured, degraded;
  for (std::size_t i = 0; i < results.outcomes.size(); ++i) {
    const Outcome& outcome = results.outcomes[i];
    if (!outcome.refused.empty())
      refused.add(outcome.refused, all[i]);
    else if (!outcome.predicted)
      unsimulated.add("it has too many transfers to be simulated in time", all[i]);
    if (!outcome.not_measured.empty()) unmeasured.add(outcome.not_measured, all[i]);
    for (const std::string& sentence : outcome.degraded) degraded.add(sentence, all[i]);
  }
  return {{"not possible", refused.sentences()},
          {"not simulated", unsimulated.sentences()},
          {"not measured", unmeasured.sentences()},
          {"refused by the system", degraded.sentences()}};
}

/// Returns the results for a person, in lines of `width` letters if that is possible: what all have in
/// common, a line for each, and below why some could not be had, and what the system refused.
std::string results_table(const Results& results, std::size_t width) {
  constexpr std::size_t asked = 5, texts = 4;  // of a row, its first cells
  std::string text;
  for (const std::string& line : headings(results)) text += folded(line, width, hanging) + '\n';
  auto rows = result_rows(results);
  // What is the same for all is said once, so that what differs has room.
  const std::vector<std::string> named(rows.front().begin(), rows.front().begin() + texts);
  if (const std::string common = take_common(rows, asked); !common.empty())
    text += folded(fmt::format("\nall: {}\n", common), width, hanging);
  const auto left = static_cast<std::size_t>(std::ranges::count_if(
      rows.front(), [&](const std::string& head) { return std::ranges::count(named, head) > 0; }));
  if (rows.size() > 1) {
    const std::size_t sized = left < rows.front().size() && rows.front()[left] == "m" ? 1 : 0;
    text += fmt::format("\n{}", table(rows, left, width, left + sized));
  }
  if (rows.size() > 2) text += "*: the least time of its operation and size\n";
  if (!results.machine.measured && std::ranges::any_of(results.outcomes, for_all_ports))
    text += folded(all_ports, width, hanging) + '\n';
  for (const auto& [heading, sentences] : remarks(results)) {
    if (!sentences.empty()) text += fmt::format("\n{}:\n", heading);
    for (const std::string& sentence : sentences)
      text += fmt::format("  {}\n", folded(sentence, width - 2, hanging));
  }
  return text;
}

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
  MatrixChart chart = chart_of(results);
  ReportPage report{.title = chart.title, .words = headings(results)};
  chart.title = "Bandwidth";  // what of, the page says
  if (!chart.panels.empty() && std::max(chart.labels.size(), chart.columns.size()) <= max_drawn_rows)
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
