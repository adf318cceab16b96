#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/lab/charts.hpp>

#include "report/chapter.hpp"
#include "report/report.hpp"
#include "report/text.hpp"

namespace vnode::bench {
namespace {

/// Writes everything in end().
class HtmlReport : public Report {
 public:
  HtmlReport(std::ostream& out, const Station& station) : out_(out) {
    page_.title = "vnode-bench";
    page_.words = header(station);
  }

  void row(const Row& row) override {
    over_sizes_.add(row);
    over_nodes_.add(row);
    legend_.add(row);
  }

  void note(std::string_view text) override { page_.words.emplace_back(text); }

  void end(const std::vector<std::string>& closing) override {
    for (const Chapter& chapter : over_nodes_.all())
      if (chapter.has_several()) page_.sections.push_back(chapter.section());
    for (const Chapter& chapter : over_sizes_.all()) page_.sections.push_back(chapter.section());
    for (const std::string& line : legend_.lines()) page_.notes.push_back(line);
    for (const std::string& line : closing) page_.notes.push_back(line);
    out_ << page(page_) << std::flush;
  }

 private:
  std::ostream& out_;
  ReportPage page_;
  Chapters over_sizes_{Chapter::Over::sizes}, over_nodes_{Chapter::Over::nodes};
  Legend legend_;
};

/// Writes one figure in end(): the first operation's time, over nodes if there are several numbers of them.
class SvgReport : public Report {
 public:
  explicit SvgReport(std::ostream& out) : out_(out) {}
  void row(const Row& row) override {
    over_sizes_.add(row);
    over_nodes_.add(row);
  }
  void note(std::string_view) override {}
  void end(const std::vector<std::string>&) override {
    const Chapter& of_nodes = over_nodes_.all().front();
    const Chapter& shown = of_nodes.has_several() ? of_nodes : over_sizes_.all().front();
    std::optional<Plot> plot = shown.section().figures.front().plot;
    if (!plot) throw UsageError{"--format svg: one time is no figure: give several --nodes"};
    plot->title = shown.title();
    plot->width = Plot().width;
    out_ << to_svg(*plot) << std::flush;
  }

 private:
  std::ostream& out_;
  Chapters over_sizes_{Chapter::Over::sizes}, over_nodes_{Chapter::Over::nodes};
};

}  // namespace

std::unique_ptr<Report> svg_report(std::ostream& out) { return std::make_unique<SvgReport>(out); }

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
