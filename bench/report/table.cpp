#include <cmath>
#include <fmt/format.h>

#include "base/bytes.hpp"
#include "report/report.hpp"

namespace vnode::bench {
namespace {

std::string number(std::optional<double> value, int digits) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}f}", *value, digits) : "-";
}

class Table : public Report {
 public:
  Table(std::ostream& out, const Station& station) : out_(out) {
    for (const std::string& line : header(station)) note(line);
  }

  void row(const Row& row) override {
    constexpr auto line =
        "{:<16} {:>6} {:<4} {:<4} {:<6} {:<31} {:>5} {:>4} {:>10} {:>10} {:>10} {:>8} {:>8} {:>10} {:>6} "
        "{:>5}\n";
    if (!titled_)
      out_ << fmt::format(line, "collective", "bytes", "type", "op", "by", "algorithm", "nodes", "root",
                          "min us", "median us", "p99 us", "algbw", "busbw", "limit us", "ratio", "wrong");
    titled_ = true;
    out_ << fmt::format(line, row.collective, bytes_text(row.bytes), row.datatype.value_or("-"),
                        row.op.value_or("-"), row.by, row.configuration.value_or(row.algorithm.value_or("-")),
                        row.nodes, row.root ? fmt::to_string(*row.root) : "-", number(row.time_us.min, 3),
                        number(row.time_us.median, 3), number(row.time_us.p99, 3), number(row.algbw_GBps, 2),
                        number(row.busbw_GBps, 2), number(row.limit_us, 3), number(row.ratio, 2), row.wrong);
    out_.flush();
  }

  void note(std::string_view text) override { out_ << "# " << text << '\n'; }
  void end() override { out_.flush(); }

 private:
  std::ostream& out_;
  bool titled_ = false;
};

}  // namespace

std::unique_ptr<Report> table_report(std::ostream& out, const Station& station) {
  return std::make_unique<Table>(out, station);
}

}  // namespace vnode::bench
