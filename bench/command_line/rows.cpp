#include "command_line/rows.hpp"

#include <cmath>

namespace vnode::bench {
namespace {

std::optional<double> if_number(double value) {
  return std::isfinite(value) ? std::optional{value} : std::nullopt;
}

std::vector<double> numbers(const std::vector<double>& values) {
  std::vector<double> kept;
  for (const double value : values)
    if (std::isfinite(value)) kept.push_back(value);
  return kept;
}

}  // namespace

std::optional<double> ratio(const std::vector<double>& medians, const std::vector<double>& limit) {
  std::vector<double> ratios;
  for (std::size_t lap = 0; lap < limit.size(); ++lap) ratios.push_back(medians[lap] / limit[lap]);
  return if_number(median(numbers(ratios)));
}

std::vector<Row> rows(const Options& options, const Operation& operation, const Setting& setting,
                      const std::string& topology, const Question& question, const Outcome& outcome) {
  const std::vector<double> limit = outcome.limit();
  std::vector<Row> rows;
  for (std::size_t i = 0; i < question.contestants.size(); ++i) {
    const Contestant& contestant = question.contestants[i];
    const Series& series = outcome.series[i];
    Row row;
    row.by = contestant.by;
    row.collective = operation.name;
    if (!contestant.requested.empty()) row.requested = contestant.requested;
    if (!contestant.algorithm.empty()) row.algorithm = contestant.algorithm;
    row.topology = topology;
    row.nodes = setting.nodes;
    row.channel = options.channel;
    row.wait = options.wait;
    if (operation.rooted) row.root = setting.root;
    if (operation.combining) row.op = options.op;
    row.time_us = summarise(series.all());
    if (operation.sized) {
      row.bytes = setting.bytes;
      row.datatype = options.datatype;
      row.algbw_GBps = if_number(static_cast<double>(setting.bytes) / (row.time_us.median * 1000));
      if (const auto factor = operation.bus_factor(setting.nodes); factor && row.algbw_GBps)
        row.busbw_GBps = *row.algbw_GBps * *factor;
    }
    if (!limit.empty()) row.limit_us = if_number(median(numbers(limit)));
    row.ratio = ratio(series.medians(), limit);
    row.wrong = series.wrong;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Row> worst(const std::vector<std::vector<Row>>& of_roots) {
  std::vector<Row> worst = of_roots.front();
  for (const std::vector<Row>& rows : of_roots)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t wrong = worst[i].wrong + (&rows == &of_roots.front() ? 0 : rows[i].wrong);
      if (rows[i].time_us.median > worst[i].time_us.median) worst[i] = rows[i];
      worst[i].wrong = wrong;
    }
  return worst;
}

}  // namespace vnode::bench
