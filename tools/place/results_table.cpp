#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "place/results_report.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"

namespace vnode {
namespace {

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

}  // namespace

std::string algorithm_text(const Experiment& experiment, const Outcome& outcome) {
  return outcome.algorithm + (experiment.algorithm == "auto" ? " (chosen)" : "");
}

std::string need_text(const BankNeed& need) {
  if (need.bank < 0) return "-";
  if (!need.feeds) return fmt::format("{:.3g} of ?", need.streams);
  return fmt::format("{:.3g} of {:.3g}{}", need.streams, *need.feeds,
                     need.holds ? "" : fmt::format(", t_w x {:.3g}", need.factor));
}

std::string pages_text(const PagesFound& pages) {
  std::string text = fmt::format("{} as asked", pages.as_asked);
  if (pages.elsewhere > 0) text += fmt::format(", {} elsewhere", pages.elsewhere);
  if (pages.nowhere > 0) text += fmt::format(", {} untouched", pages.nowhere);
  return text;
}

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
  std::string speeds = "banks: bandwidth not known, so memory is no limit in the predictions";
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
  if (machine.measured) return lines;
  if (results.campaign.machine)
    lines.push_back("a machine that is described, not this one: all times are predicted");
  else
    lines.push_back("hwloc's environment describes another machine than this one: all times are predicted");
  return lines;
}

std::vector<std::vector<std::string>> result_rows(const Results& results) {
  const std::vector<Experiment> all = experiments(results.campaign);
  const bool measured = results.machine.measured;
  std::vector<std::vector<std::string>> rows{
      {"algorithm", "topology", "mapping", "banks", "m", "predicted", "GB/s", "S_b of W_b t_w"}};
  if (measured)
    rows.front().insert(rows.front().end(), {"measured", "quartiles", "GB/s", "/ predicted", "pages"});
  for (std::size_t i = 0; i < results.outcomes.size(); ++i)
    if (results.outcomes[i].refused.empty()) rows.push_back(row(all[i], results.outcomes[i], measured));
  return rows;
}

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
  if (rows.size() > 1) text += fmt::format("\n{}", table(rows, left, width));
  for (const auto& [heading, sentences] : remarks(results)) {
    if (!sentences.empty()) text += fmt::format("\n{}:\n", heading);
    for (const std::string& sentence : sentences)
      text += fmt::format("  {}\n", folded(sentence, width - 2, hanging));
  }
  return text;
}

}  // namespace vnode
