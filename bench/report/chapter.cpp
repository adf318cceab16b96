#include "report/chapter.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/bytes.hpp"

namespace vnode::bench {
namespace {

constexpr const char* limit_name = "limit";

// Returns the name of a row's contestant: an algorithm of vnode's that was asked for by name has its own, and
// what the library chooses is called vnode.
std::string name_of(const Row& row) {
  const bool named = row.requested && *row.requested != "auto";
  return named ? algorithm_text(row) : contestant_text(row);
}

}  // namespace

void Chapter::add(const Row& row) {
  const std::string name = name_of(row);
  const bool over_sizes = over_ == Over::sizes;
  const auto x = static_cast<double>(over_sizes ? row.bytes : static_cast<std::size_t>(row.nodes));
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  if (stops_.empty() || stops_.back().x != x || stops_.back().by.contains(name))
    stops_.push_back({x, !over_sizes ? std::to_string(row.nodes) : sized_ ? bytes_text(row.bytes) : "-"});
  Stop& stop = stops_.back();
  Figures& figures = stop.by[name] = {row.time_us.median * 1e-6, row.algbw_GBps, {}, median_text(row)};
  if (row.limit_us && !row.few()) figures.efficiency = *row.limit_us / row.time_us.median;
  if (row.by == "vnode" && row.requested == "auto") {
    chosen_ = true;
    stop.algorithm = algorithm_text(row);
  }
  if (!row.limit_us || stop.by.contains(limit_name)) return;
  limited_ = true;
  stop.to_limit = row.median_to_limit();
  Figures& limit = stop.by[limit_name] = {*row.limit_us * 1e-6, {}, {}, time_text(row.limit_us)};
  if (row.algbw_GBps) limit.GBps = *row.algbw_GBps * row.time_us.median / *row.limit_us;
}

std::vector<std::string> Chapter::curves() const {
  std::vector<std::string> all = names_;
  if (limited_) all.emplace_back(limit_name);
  return all;
}

/// Returns a plot of value(figures), which is a figure, or nothing. Returns none where there is no size, or
/// no figure.
template <class Value>
std::optional<Plot> Chapter::plot(const char* title, Plot::Axis axis, Value value) const {
  const bool over_sizes = over_ == Over::sizes;
  if (over_sizes && !sized_) return std::nullopt;
  Plot plot{
      .title = title, .x = {over_sizes ? "m, bytes" : "p, nodes", Plot::Unit::bytes}, .y = std::move(axis)};
  const std::vector<std::string> all = curves();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Plot::Line line{.label = all[i],
                    .group = static_cast<int>(i),
                    .stroke = all[i] == limit_name ? Plot::Stroke::dashed : Plot::Stroke::solid};
    for (const Stop& stop : stops_)
      if (const auto found = stop.by.find(all[i]); found != stop.by.end())
        if (const std::optional<double> y = value(found->second); y && std::isfinite(*y) && *y > 0)
          line.points.push_back({stop.x, *y});
    // One point of several is no line.
    if (line.points.size() > 1 || (stops_.size() == 1 && !line.points.empty()))
      plot.lines.push_back(std::move(line));
  }
  plot.width = narrow_width(plot) + (over_sizes ? 0 : 180);
  return plot.lines.empty() ? std::nullopt : std::optional{std::move(plot)};
}

ReportPage::Section Chapter::section() const {
  const Plot::Axis time{"time, median", Plot::Unit::seconds};
  const auto seconds = [](const Figures& of) { return std::optional{of.seconds}; };
  const auto quotient = [](std::optional<double> value) {
    return value && std::isfinite(*value) ? fmt::format("{:.3g}", *value) : "-";
  };
  if (over_ == Over::nodes) {
    ReportPage::Section section{title_, {{plot("Time over nodes", time, seconds), time_table()}}};
    const auto efficient = [](const Stop& stop) {
      return std::ranges::any_of(stop.by, [](const auto& one) { return one.second.efficiency.has_value(); });
    };
    if (std::ranges::count_if(stops_, efficient) > 1)
      section.figures.push_back({plot("Efficiency over nodes", {"limit / median", Plot::Unit::number},
                                      [](const Figures& of) { return of.efficiency; }),
                                 table("Efficiency: limit / median", names_,
                                       [&](const Figures& of) { return quotient(of.efficiency); })});
    return section;
  }
  ReportPage::Section section{title_, {{plot("Time over size", time, seconds), time_table()}}};
  if (sized_)
    section.figures.push_back({plot("Bandwidth over size", {"algbw, GB/s", Plot::Unit::number},
                                    [](const Figures& of) { return of.GBps; }),
                               table("algbw, 10^9 bytes per second", curves(),
                                     [&](const Figures& of) { return quotient(of.GBps); })});
  return section;
}

/// Returns a table of a row for each size or number of nodes, and text(figures) of each of these contestants.
template <class Text>
ReportPage::Table Chapter::table(std::string caption, const std::vector<std::string>& names,
                                 Text text) const {
  ReportPage::Table table{.caption = std::move(caption), .head = {over_ == Over::sizes ? "bytes" : "nodes"}};
  for (const std::string& name : names) table.head.push_back(name);
  for (const Stop& stop : stops_) {
    std::vector<std::string>& cells = table.rows.emplace_back(1, stop.text);
    for (const std::string& name : names) {
      const auto found = stop.by.find(name);
      cells.push_back(found == stop.by.end() ? "-" : text(found->second));
    }
  }
  return table;
}

ReportPage::Table Chapter::time_table() const {
  ReportPage::Table times =
      table("Medians, microseconds", curves(), [](const Figures& of) { return of.time; });
  if (chosen_) times.head.insert(times.head.begin() + 1, "algorithm");
  if (limited_) times.head.emplace_back("x limit");
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    std::vector<std::string>& cells = times.rows[i];
    if (chosen_) cells.insert(cells.begin() + 1, stops_[i].algorithm);
    if (limited_) cells.push_back(quotient_text(stops_[i].to_limit));
  }
  return times;
}

void Chapters::add(const Row& row) {
  const std::string title = Chapter::title_of(over_, row);
  auto found = std::ranges::find(all_, title, &Chapter::title);
  // Rows over sizes that come again below a heading are another chapter.
  if (found == all_.end() || (over_ == Chapter::Over::sizes && found != all_.end() - 1))
    found = all_.insert(all_.end(), Chapter(over_, row));
  found->add(row);
}

}  // namespace vnode::bench
