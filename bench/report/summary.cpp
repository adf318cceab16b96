#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "base/bytes.hpp"
#include "report/report.hpp"

namespace vnode::bench {
namespace {

std::string number(std::optional<double> value, int digits) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}f}", *value, digits) : "-";
}

class SummaryReport : public Report {
 public:
  SummaryReport(std::ostream& out, const Station& station) : out_(out) {
    for (const std::string& line : header(station)) note(line);
    note("microseconds, medians; ratio: ours to the limit");
  }

  void row(const Row& row) override {
    if (!rows_.empty() && !beside(rows_.front(), row)) flush();
    rows_.push_back(row);
  }

  void note(std::string_view text) override {
    flush();
    out_ << "# " << text << '\n';
  }
  void end() override { flush(); }

 private:
  // Measured together.
  static bool beside(const Row& a, const Row& b) {
    return a.collective == b.collective && a.bytes == b.bytes && a.op == b.op && a.datatype == b.datatype;
  }
  static bool ours(const Row& row) { return row.by == "vnode"; }

  void flush() {
    if (rows_.empty()) return;
    title();
    for (const Row& row : rows_)
      if (ours(row)) line(row);
    last_ = rows_.front().collective;
    rows_.clear();
    out_.flush();
  }

  void title() {
    std::vector<std::string> others;
    for (const Row& row : rows_)
      if (!ours(row)) others.push_back(row.by);
    if (others != others_ || last_.empty()) {
      others_ = others;
      out_ << fmt::format("{:<16} {:>6} {:<31} {:>10} {:>10} {:>6}", "collective", "bytes", "algorithm",
                          "vnode", "limit", "ratio");
      for (const std::string& other : others_) out_ << fmt::format(" {:>10}", other);
      out_ << fmt::format(" {:>5}\n", "wrong");
    } else if (last_ != rows_.front().collective) {
      out_ << '\n';
    }
  }

  void line(const Row& row) {
    out_ << fmt::format("{:<16} {:>6} {:<31} {:>10} {:>10} {:>6}", row.collective, bytes_text(row.bytes),
                        row.algorithm.value_or("-"), number(row.time_us.median, 3), number(row.limit_us, 3),
                        number(row.ratio, 2));
    std::size_t wrong = row.wrong;
    for (const Row& other : rows_) {
      if (ours(other)) continue;
      out_ << fmt::format(" {:>10}", number(other.time_us.median, 3));
      wrong += other.wrong;
    }
    out_ << fmt::format(" {:>5}\n", wrong);
  }

  std::ostream& out_;
  std::vector<Row> rows_;            // of one question
  std::vector<std::string> others_;  // as titled
  std::string last_;
};

}  // namespace

std::unique_ptr<Report> summary_report(std::ostream& out, const Station& station) {
  return std::make_unique<SummaryReport>(out, station);
}

}  // namespace vnode::bench
