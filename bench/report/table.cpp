#include <fmt/format.h>

#include "base/bytes.hpp"
#include "report/report.hpp"
#include "report/text.hpp"

namespace vnode::bench {
namespace {

constexpr auto columns = "{:>6} {:<6} {:<28} {:>8} {:>8} {:>8} {:>6} {:>6} {:>8} {:>7}";

class Table : public Report {
 public:
  Table(std::ostream& out, const Station& station) : out_(out) {
    for (const std::string& line : header(station)) note(line);
  }

  void row(const Row& row) override {
    if (heading(row) != heading_) title(row);
    legend_.add(row);
    const std::string bytes = row.datatype ? bytes_text(row.bytes) : "-";
    out_ << fmt::format(columns, bytes, contestant_text(row), algorithm_text(row), time_text(row.time_us.min),
                        median_text(row), time_text(row.time_us.p99), quotient_text(row.algbw_GBps),
                        quotient_text(row.busbw_GBps), time_text(row.limit_us),
                        quotient_text(row.median_to_limit()));
    if (row.wrong > 0) out_ << fmt::format(" {} WRONG", row.wrong);
    out_ << '\n';
    out_.flush();
  }

  void note(std::string_view text) override { out_ << comment(text); }
  void end(const std::vector<std::string>& closing) override {
    out_ << '\n';
    for (const std::string& line : legend_.lines()) note(line);
    for (const std::string& line : closing) note(line);
    out_.flush();
  }

 private:
  void title(const Row& row) {
    heading_ = heading(row);
    out_ << '\n' << comment(heading_);
    out_ << fmt::format(columns, "bytes", "by", "algorithm", "min", "median", "p99", "algbw", "busbw",
                        "limit", "x limit")
         << '\n';
  }

  std::ostream& out_;
  std::string heading_;
  Legend legend_;
};

}  // namespace

std::unique_ptr<Report> table_report(std::ostream& out, const Station& station) {
  return std::make_unique<Table>(out, station);
}

}  // namespace vnode::bench
