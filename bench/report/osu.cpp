#include <fmt/format.h>
#include <map>
#include <utility>
#include <vector>

#include "report/report.hpp"

namespace vnode::bench {
namespace {

constexpr int size_width = 10, field_width = 20, iterations_width = 12, sizeless_width = 17;

class OsuReport : public Report {
 public:
  OsuReport(std::ostream& out, const Station& station, bool full) : out_(out), full_(full) {
    for (const std::string& line : header(station)) note(line);
  }

  void row(const Row& row) override {
    if (row.collective != collective_) flush();
    collective_ = row.collective;
    std::vector<Row>& table = tables_[title(row)];
    if (table.empty()) order_.push_back(title(row));
    table.push_back(row);
  }

  void note(std::string_view text) override {
    flush();
    out_ << "# " << text << '\n';
  }

  void end(const std::vector<std::string>& closing) override {
    for (const std::string& line : closing) note(line);
    flush();
  }

 private:
  static std::string title(const Row& row) {
    std::string who = row.by;
    if (row.requested && *row.requested != "auto") who += " " + *row.requested;
    return fmt::format("{} {} Latency Test", who, row.collective);
  }

  // Writes all sizes of one contestant together, although contestants are measured beside each other, size by
  // size.
  void flush() {
    for (const std::string& title : order_) {
      out_ << fmt::format("\n# {}\n", title);
      if (tables_[title].front().datatype)
        out_ << fmt::format("{:<{}}{:>{}}", "# Size", size_width, "Avg Latency(us)", field_width);
      else
        out_ << "# Avg Latency(us)";
      if (full_)
        out_ << fmt::format("{:>{}}{:>{}}{:>{}}", "Min Latency(us)", field_width, "Max Latency(us)",
                            field_width, "Iterations", iterations_width);
      out_ << '\n';
      for (const Row& row : tables_[title]) line(row);
    }
    tables_.clear();
    order_.clear();
    out_.flush();
  }

  void line(const Row& row) {
    if (row.datatype)
      out_ << fmt::format("{:<{}}{:>{}.2f}", row.bytes, size_width, row.means.all_us, field_width);
    else
      out_ << fmt::format("{:>{}.2f}", row.means.all_us, sizeless_width);
    if (full_)
      out_ << fmt::format("{:>{}.2f}{:>{}.2f}{:>{}}", row.means.least_us, field_width, row.means.greatest_us,
                          field_width, row.means.iterations, iterations_width);
    out_ << '\n';
  }

  std::ostream& out_;
  const bool full_;
  std::string collective_;
  std::map<std::string, std::vector<Row>> tables_;
  std::vector<std::string> order_;  // of titles
};

}  // namespace

std::unique_ptr<Report> osu_report(std::ostream& out, const Station& station, bool full) {
  return std::make_unique<OsuReport>(out, station, full);
}

}  // namespace vnode::bench
