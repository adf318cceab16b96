#include <fmt/format.h>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "report/chapter.hpp"
#include "report/report.hpp"
#include "report/text.hpp"
#include "terminal/table.hpp"

namespace vnode::bench {
namespace {

/// Returns what was measured over numbers of nodes as tables for the terminal.
std::string text_over_nodes(const Chapters& chapters) {
  std::string text;
  for (const Chapter& chapter : chapters.all()) {
    if (!chapter.has_several()) continue;
    const ReportPage::Section section = chapter.section();
    for (const ReportPage::Figure& figure : section.figures) {
      const ReportPage::Table& table = figure.table;
      std::vector<std::vector<std::string>> rows{table.head};
      rows.insert(rows.end(), table.rows.begin(), table.rows.end());
      text += '\n' + comment(section.title + ": " + table.caption) + vnode::table(rows, 0, report_width());
    }
  }
  return text;
}

/// Formats a line of a table; where the terminal is narrow, without the least time.
constexpr auto table_line = "{:>6} {:<11} {:<23} {:>8} {:>8} {:>8} {:>6} {:>6} {:>8} {:>7}";
constexpr auto narrow_table_line = "{0:>5} {1:<11} {2:<16.16} {4:>7} {5:>7} {6:>6} {7:>6} {8:>7} {9:>7}";

bool is_narrow() { return report_width() < widest_report; }

class TableReport : public Report {
 public:
  TableReport(std::ostream& out, const Station& station) : out_(out) {
    for (const std::string& line : header(station)) note(line);
  }

  void row(const Row& row) override {
    if (heading(row) != heading_) title(row);
    legend_.add(row);
    over_nodes_.add(row);
    const std::string bytes = row.datatype ? bytes_text(row.bytes) : "-";
    out_ << fmt::format(fmt::runtime(line_), bytes, contestant_text(row), algorithm_text(row),
                        time_text(row.time_us.min), median_text(row), time_text(row.time_us.p99),
                        quotient_text(row.algbw_GBps), quotient_text(row.busbw_GBps), time_text(row.limit_us),
                        quotient_text(row.median_to_limit()));
    if (row.wrong > 0) out_ << fmt::format(" {} WRONG", row.wrong);
    out_ << '\n';
    out_.flush();
  }

  void note(std::string_view text) override { out_ << comment(text); }
  void end(const std::vector<std::string>& closing) override {
    out_ << text_over_nodes(over_nodes_) << '\n';
    for (const std::string& line : legend_.lines()) note(line);
    for (const std::string& line : closing) note(line);
    out_.flush();
  }

 private:
  void title(const Row& row) {
    heading_ = heading(row);
    out_ << '\n' << comment(heading_);
    out_ << fmt::format(fmt::runtime(line_), "bytes", "by", "algorithm", "min", "median", "p99", "algbw",
                        "busbw", "limit", "x limit")
         << '\n';
  }

  std::ostream& out_;
  const char* line_ = is_narrow() ? narrow_table_line : table_line;
  std::string heading_;
  Legend legend_;
  Chapters over_nodes_{Chapter::Over::nodes};
};

/// Returns the name of a contestant where there is little room: openmpi for mpi:openmpi.
std::string library_text(const Row& row) {
  const std::string name = contestant_text(row);
  return name.substr(name.find(':') + 1);  // all of it without a colon
}

constexpr auto summary_begin = "{:>6} {:<19} {:>8} {:>8} {:>7}";
constexpr auto narrow_summary_begin = "{:>5} {:<18.18} {:>7} {:>7} {:>7}";

class SummaryReport : public Report {
 public:
  SummaryReport(std::ostream& out, const Station& station) : out_(out) {
    for (const std::string& line : header(station)) note(line);
  }

  void row(const Row& row) override {
    if (!rows_.empty() && !beside(rows_.front(), row)) flush();
    over_nodes_.add(row);
    rows_.push_back(row);
  }

  void note(std::string_view text) override {
    flush();
    out_ << comment(text);
  }
  void end(const std::vector<std::string>& closing) override {
    flush();
    out_ << text_over_nodes(over_nodes_) << '\n';
    for (const std::string& line : legend_.lines()) note(line);
    for (const std::string& line : closing) note(line);
    out_.flush();
  }

 private:
  // Tells whether two rows were measured together.
  static bool beside(const Row& a, const Row& b) {
    return a.collective == b.collective && a.nodes == b.nodes && a.bytes == b.bytes && a.op == b.op &&
           a.datatype == b.datatype;
  }
  static bool by_vnode(const Row& row) { return row.by == "vnode"; }

  void flush() {
    if (rows_.empty()) return;
    if (heading(rows_.front()) != heading_) title();
    for (const Row& row : rows_) {
      // What is not in the line's columns is nothing for the legend to explain.
      Row seen = row;
      seen.algbw_GBps.reset();
      legend_.add(seen);
      if (by_vnode(row)) line(row);
    }
    rows_.clear();
    out_.flush();
  }

  void title() {
    heading_ = heading(rows_.front());
    out_ << '\n' << comment(heading_);
    out_ << fmt::format(fmt::runtime(begin_), "bytes", "algorithm", "vnode", "limit", "x limit");
    for (const Row& row : rows_)
      if (!by_vnode(row)) out_ << fmt::format(" {:>7}", library_text(row));
    out_ << '\n';
  }

  void line(const Row& row) {
    out_ << fmt::format(fmt::runtime(begin_), row.datatype ? bytes_text(row.bytes) : "-", algorithm_text(row),
                        median_text(row), time_text(row.limit_us), quotient_text(row.median_to_limit()));
    std::size_t wrong = row.wrong;
    for (const Row& other : rows_) {
      if (by_vnode(other)) continue;
      out_ << fmt::format(" {:>7}", median_text(other));
      wrong += other.wrong;
    }
    if (wrong > 0) out_ << fmt::format(" {} WRONG", wrong);
    out_ << '\n';
  }

  std::ostream& out_;
  const char* begin_ = is_narrow() ? narrow_summary_begin : summary_begin;
  std::vector<Row> rows_;  // of one question
  std::string heading_;
  Legend legend_;
  Chapters over_nodes_{Chapter::Over::nodes};
};

}  // namespace

std::unique_ptr<Report> table_report(std::ostream& out, const Station& station) {
  return std::make_unique<TableReport>(out, station);
}

std::unique_ptr<Report> summary_report(std::ostream& out, const Station& station) {
  return std::make_unique<SummaryReport>(out, station);
}

}  // namespace vnode::bench
