#include "place/results_csv.hpp"

#include <fmt/format.h>
#include <optional>
#include <vector>

#include "terminal/csv.hpp"

namespace vnode {
namespace {

using Fields = std::vector<std::string>;

std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string speed(const Experiment& experiment, std::optional<double> seconds) {
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
          speed(experiment, times.median),
          ratio ? number(times.median / *outcome.predicted) : "",
          fmt::to_string(times.calls),
          fmt::to_string(times.late)};
}

Fields page_fields(const std::optional<PagesFound>& pages) {
  if (!pages) return {"", "", ""};
  return {fmt::to_string(pages->as_asked), fmt::to_string(pages->elsewhere), fmt::to_string(pages->nowhere)};
}

}  // namespace

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
    Fields fields{std::string(name(experiment.collective)),
                  experiment.algorithm,
                  outcome.algorithm,
                  done ? fmt::to_string(outcome.segments) : "",
                  fmt::to_string(experiment.nodes),
                  experiment.topology,
                  has_root(experiment.collective) ? fmt::to_string(experiment.root) : "",
                  experiment.mapping,
                  std::string(name(experiment.banks)),
                  fmt::to_string(experiment.bytes),
                  csv_microseconds(outcome.predicted),
                  speed(experiment, outcome.predicted)};
    const auto append = [&](const Fields& more) { fields.insert(fields.end(), more.begin(), more.end()); };
    append(need_fields(outcome.need));
    append(measured_fields(experiment, outcome));
    append(page_fields(outcome.pages));
    append({outcome.refused, outcome.not_measured});
    text += csv_line(fields);
  }
  return text;
}

}  // namespace vnode
