#include "commands/rows.hpp"

#include <algorithm>
#include <cmath>

#include "data/element.hpp"

namespace vnode::bench {
namespace {

std::optional<double> if_number(double value) {
  return std::isfinite(value) ? std::optional{value} : std::nullopt;
}

std::string text_of(Form form) {
  return form == Form::blocking ? "blocking" : form == Form::nonblocking ? "nonblocking" : "persistent";
}

RankMeans means(const Series& series) {
  const std::size_t calls = series.all().size();
  if (series.inside_us.empty() || calls == 0) return {};
  RankMeans means{.iterations = calls};
  means.least_us = std::ranges::min(series.inside_us) / static_cast<double>(calls);
  means.greatest_us = std::ranges::max(series.inside_us) / static_cast<double>(calls);
  for (const double us : series.inside_us)
    means.all_us += us / static_cast<double>(calls * series.inside_us.size());
  return means;
}

// Returns a row with what is the same for all contestants.
Row common(const Options& options, const Operation& operation, const Setting& setting,
           const std::string& topology) {
  Row row;
  row.collective = operation.name;
  row.form = text_of(setting.form);
  row.topology = topology;
  row.nodes = setting.nodes;
  row.channel = options.channel;
  row.wait = enums::name(options.wait);
  row.cold_bytes = options.effort.cold;
  row.beside = options.beside;
  if (operation.rooted) row.root = setting.root;
  if (operation.combining) row.op = name_of(setting.op);
  if (operation.sized) row.datatype = datatypes[setting.datatype];
  return row;
}

void fill(Row& row, const Operation& operation, const Setting& setting, const Series& series,
          const std::vector<double>& limit) {
  const std::vector<double> times = series.all();
  row.time_us = summarise(times);
  row.calls = times.size();
  row.means = means(series);
  if (operation.sized) {
    const Bandwidth bandwidth = operation.bandwidth(setting.nodes);
    row.bytes = setting.bytes;
    row.algbw_GBps =
        if_number(bandwidth.vectors * static_cast<double>(setting.bytes) / (row.time_us.median * 1000));
    row.bytes_of_part = bandwidth.vectors > 1;
    if (bandwidth.bus && row.algbw_GBps) row.busbw_GBps = *row.algbw_GBps * *bandwidth.bus;
  }
  if (!limit.empty()) row.limit_us = if_number(median(numbers(limit)));
  row.ratio = ratio(series.medians(), limit, least_rounds);
  row.wrong = series.wrong;
}

}  // namespace

std::unique_ptr<Report> report_for(const Options& options, std::ostream& out, const Station& station) {
  if (options.format == Format::csv) return csv_report(out, station);
  if (options.format == Format::json) return json_report(out, station);
  if (options.format == Format::html) return html_report(out, station);
  if (options.format == Format::svg) return svg_report(out);
  if (options.osu) return osu_report(out, station, options.full);
  return options.format == Format::summary ? summary_report(out, station) : table_report(out, station);
}

std::optional<double> ratio(const std::vector<double>& medians, const std::vector<double>& limit,
                            std::size_t least) {
  std::vector<double> ratios;
  for (std::size_t lap = 0; lap < limit.size(); ++lap) ratios.push_back(medians[lap] / limit[lap]);
  ratios = numbers(ratios);
  return ratios.size() < least ? std::nullopt : if_number(median(ratios));
}

std::vector<Row> rows(const Options& options, const Operation& operation, const Setting& setting,
                      const std::string& topology, const Question& question, const Timings& outcome) {
  const std::vector<double> limit = outcome.limit();
  const Row blank = common(options, operation, setting, topology);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < question.contestants.size(); ++i) {
    const Contestant& contestant = question.contestants[i];
    Row& row = rows.emplace_back(blank);
    row.by = contestant.by;
    row.one_caller = contestant.host->one_caller();
    if (!contestant.requested.empty()) row.requested = contestant.requested;
    if (!contestant.algorithm.empty()) row.algorithm = contestant.algorithm;
    fill(row, operation, setting, outcome.series[i], limit);
  }
  for (const ChoiceTimes& peer : outcome.beside) {
    Row& row = rows.emplace_back(blank);
    row.by = peer.name;
    row.configuration = peer.variant;
    fill(row, operation, setting, peer.series, limit);
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
