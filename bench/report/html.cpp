#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <vnode/lab/charts.hpp>

#include "base/bytes.hpp"
#include "report/report.hpp"
#include "report/text.hpp"

namespace vnode::bench {
namespace {

constexpr const char* limit_name = "limit";

/// Holds what was measured of one contestant.
struct Figures {
  double seconds = 0;
  std::optional<double> GBps{};
  std::string time{};  ///< in words
};

/// Holds the figures of one size, by the contestants' names.
struct Size {
  std::size_t bytes;
  std::string text;
  std::string algorithm = "-";  ///< that was chosen
  std::optional<double> to_limit{};
  std::map<std::string, Figures> by{};
};

// Returns the name of a row's contestant: an algorithm of vnode's that was asked for by name has its own, and
// what the library chooses is called vnode.
std::string name_of(const Row& row) {
  const bool named = row.requested && *row.requested != "auto";
  return named ? algorithm_text(row) : contestant_text(row);
}

// Returns a bandwidth, which is between some 0.001 and some 100.
std::string bandwidth_text(std::optional<double> GBps) {
  return GBps && std::isfinite(*GBps) ? fmt::format("{:.3g}", *GBps) : "-";
}

/// Holds the rows below one heading, which make a section of the page.
class Chapter {
 public:
  explicit Chapter(const Row& row) : title_(heading(row)), sized_(row.datatype) {}

  const std::string& title() const { return title_; }

  void add(const Row& row) {
    const std::string name = name_of(row);
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    if (sizes_.empty() || sizes_.back().bytes != row.bytes || sizes_.back().by.contains(name))
      sizes_.push_back({row.bytes, sized_ ? bytes_text(row.bytes) : "-"});
    Size& size = sizes_.back();
    size.by[name] = {row.time_us.median * 1e-6, row.algbw_GBps, median_text(row)};
    if (row.by == "vnode" && row.requested == "auto") {
      chosen_ = true;
      size.algorithm = algorithm_text(row);
    }
    if (!row.limit_us || size.by.contains(limit_name)) return;
    limited_ = true;
    size.to_limit = row.median_to_limit();
    Figures& limit = size.by[limit_name] = {*row.limit_us * 1e-6, {}, time_text(row.limit_us)};
    if (row.algbw_GBps) limit.GBps = *row.algbw_GBps * row.time_us.median / *row.limit_us;
  }

  ReportPage::Section section() const {
    ReportPage::Section section{title_, {{times(), time_table()}}};
    if (sized_) section.figures.push_back({bandwidths(), bandwidth_table()});
    return section;
  }

 private:
  std::vector<std::string> curves() const {
    std::vector<std::string> all = names_;
    if (limited_) all.emplace_back(limit_name);
    return all;
  }

  /// Returns a plot of value(figures), which is a figure, or nothing. Returns none where there is no size, or
  /// no figure.
  template <class Value>
  std::optional<Plot> plot(const char* title, Plot::Axis axis, Value value) const {
    if (!sized_) return std::nullopt;
    Plot plot{.title = title, .x = {"m, bytes", Plot::Unit::bytes}, .y = std::move(axis)};
    const std::vector<std::string> all = curves();
    for (std::size_t i = 0; i < all.size(); ++i) {
      Plot::Line line{.label = all[i],
                      .group = static_cast<int>(i),
                      .stroke = all[i] == limit_name ? Plot::Stroke::dashed : Plot::Stroke::solid};
      for (const Size& size : sizes_)
        if (const auto found = size.by.find(all[i]); found != size.by.end())
          if (const std::optional<double> y = value(found->second); y && std::isfinite(*y) && *y > 0)
            line.points.push_back({static_cast<double>(size.bytes), *y});
      if (!line.points.empty()) plot.lines.push_back(std::move(line));
    }
    plot.width = narrow_width(plot);
    return plot.lines.empty() ? std::nullopt : std::optional{std::move(plot)};
  }

  std::optional<Plot> times() const {
    return plot("Time over size", {"time, median", Plot::Unit::seconds},
                [](const Figures& of) { return std::optional{of.seconds}; });
  }
  std::optional<Plot> bandwidths() const {
    return plot("Bandwidth over size", {"algbw, GB/s", Plot::Unit::number},
                [](const Figures& of) { return of.GBps; });
  }

  ReportPage::Table time_table() const {
    ReportPage::Table table{.caption = "Medians, microseconds", .head = {"bytes"}};
    if (chosen_) table.head.emplace_back("algorithm");
    for (const std::string& curve : curves()) table.head.push_back(curve);
    if (limited_) table.head.emplace_back("x limit");
    for (const Size& size : sizes_) {
      std::vector<std::string>& cells = table.rows.emplace_back(1, size.text);
      if (chosen_) cells.push_back(size.algorithm);
      for (const std::string& curve : curves()) {
        const auto found = size.by.find(curve);
        cells.push_back(found == size.by.end() ? "-" : found->second.time);
      }
      if (limited_) cells.push_back(quotient_text(size.to_limit));
    }
    return table;
  }

  ReportPage::Table bandwidth_table() const {
    ReportPage::Table table{.caption = "algbw, 10^9 bytes per second", .head = {"bytes"}};
    for (const std::string& curve : curves()) table.head.push_back(curve);
    for (const Size& size : sizes_) {
      std::vector<std::string>& cells = table.rows.emplace_back(1, size.text);
      for (const std::string& curve : curves()) {
        const auto found = size.by.find(curve);
        cells.push_back(found == size.by.end() ? "-" : bandwidth_text(found->second.GBps));
      }
    }
    return table;
  }

  std::string title_;
  bool sized_, chosen_ = false, limited_ = false;
  std::vector<std::string> names_;
  std::vector<Size> sizes_;
};

/// Writes everything in end().
class HtmlReport : public Report {
 public:
  HtmlReport(std::ostream& out, const Station& station) : out_(out) {
    page_.title = "vnode-bench";
    page_.words = header(station);
  }

  void row(const Row& row) override {
    if (chapters_.empty() || chapters_.back().title() != heading(row)) chapters_.emplace_back(row);
    chapters_.back().add(row);
    legend_.add(row);
  }

  void note(std::string_view text) override { page_.words.emplace_back(text); }

  void end(const std::vector<std::string>& closing) override {
    for (const Chapter& chapter : chapters_) page_.sections.push_back(chapter.section());
    for (const std::string& line : legend_.lines()) page_.notes.push_back(line);
    for (const std::string& line : closing) page_.notes.push_back(line);
    out_ << page(page_) << std::flush;
  }

 private:
  std::ostream& out_;
  ReportPage page_;
  std::vector<Chapter> chapters_;
  Legend legend_;
};

}  // namespace

std::unique_ptr<Report> html_report(std::ostream& out, const Station& station) {
  return std::make_unique<HtmlReport>(out, station);
}

void write_page(std::ostream& out, const std::string& name, const Listing& listing, const Station& station,
                const std::vector<std::string>& notes) {
  ReportPage page{.title = "vnode-bench: " + name, .words = header(station), .notes = notes};
  std::vector<std::vector<std::string>> lines = listing.texts("-");
  ReportPage::Table table{.caption = name, .head = std::move(lines.front())};
  table.rows.assign(std::make_move_iterator(lines.begin() + 1), std::make_move_iterator(lines.end()));
  page.tables.push_back(std::move(table));
  out << vnode::page(page) << std::flush;
}

}  // namespace vnode::bench
