#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <string>
#include <vector>

#include <vnode/model/algorithms.hpp>

#include "base/bytes.hpp"
#include "base/counted.hpp"
#include "place/reports.hpp"

namespace vnode {
namespace {

/// Names what experiments differ in that may be the rows and columns of a matrix, in the order of preference.
enum class Axis { mapping, banks, algorithm, bytes };
constexpr std::array matrix_axes{Axis::mapping, Axis::banks, Axis::algorithm, Axis::bytes};

std::string text_on(Axis axis, const Experiment& experiment) {
  switch (axis) {
    case Axis::mapping:
      return experiment.mapping;
    case Axis::banks:
      return fmt::format("banks {}", enums::name(experiment.banks));
    case Axis::algorithm:
      return experiment.algorithm;
    case Axis::bytes:
      return bytes_text(experiment.bytes);
  }
  return {};
}

/// Holds the texts of an axis, in the order in which experiments bring them.
struct Texts {
  std::vector<std::string> all;
  std::size_t place(const std::string& text) {
    const auto at = std::ranges::find(all, text) - all.begin();
    if (at == std::ssize(all)) all.push_back(text);
    return static_cast<std::size_t>(at);
  }
};

/// Returns what the cells of one matrix have in common.
std::string caption_of(const Experiment& experiment, Axis rows, Axis columns, bool predicted) {
  std::string text =
      fmt::format("{}, {}, {}{}", enums::name(experiment.collective), counted(experiment.nodes, "node"),
                  experiment.topology, root_text(experiment));
  for (const Axis axis : matrix_axes)
    if (axis != rows && axis != columns) text += ", " + text_on(axis, experiment);
  return text + (predicted ? ": predicted" : ": measured");
}

}  // namespace

bool for_all_ports(const Outcome& outcome) {
  return outcome.predicted && !outcome.measured && algorithm(outcome.algorithm).ports == Ports::all;
}

MatrixChart chart_of(const Results& results) {
  const std::vector<Experiment> all = experiments(results.campaign);
  std::vector<Axis> differ;
  for (const Axis axis : matrix_axes)
    if (std::ranges::any_of(
            all, [&](const Experiment& one) { return text_on(axis, one) != text_on(axis, all.front()); }))
      differ.push_back(axis);
  for (const Axis axis : matrix_axes)
    if (differ.size() < 2 && std::ranges::find(differ, axis) == differ.end()) differ.push_back(axis);
  const Axis row_axis = std::min(differ[0], differ[1]), column_axis = std::max(differ[0], differ[1]);
  Texts rows, columns, panels;
  std::map<std::array<std::size_t, 3>, double> values;
  for (std::size_t i = 0; i < results.outcomes.size(); ++i) {
    const Outcome& outcome = results.outcomes[i];
    const auto add = [&](double seconds, bool predicted) {
      values[{panels.place(caption_of(all[i], row_axis, column_axis, predicted)),
              rows.place(text_on(row_axis, all[i])), columns.place(text_on(column_axis, all[i]))}] =
          bandwidth(all[i], seconds) * 1e-9;
    };
    if (outcome.predicted.value_or(0) > 0) add(*outcome.predicted, true);
    if (outcome.measured) add(outcome.measured->median, false);
  }
  MatrixChart chart{
      .title = fmt::format("{}: placement", results.campaign.name),
      .note = fmt::format("bandwidth, m by time, more is better; {}{}{}", results.machine.source,
                          results.machine.measured ? "" : "; predicted only",
                          std::ranges::count(all, "auto", &Experiment::algorithm) > 0
                              ? "; auto: by the algorithm that is chosen for each cell"
                              : ""),
      .unit = "GB/s",
      .labels = rows.all,
      .columns = columns.all};
  for (const std::string& caption : panels.all)
    chart.panels.push_back({caption, {rows.all.size(), std::vector<double>(columns.all.size())}});
  for (const auto& [at, value] : values) chart.panels[at[0]].values[at[1]][at[2]] = value;
  return chart;
}

}  // namespace vnode
