#include <cmath>
#include <fmt/format.h>

#include "report/report.hpp"

namespace vnode::bench {
namespace {

template <class T>
std::string field(const std::optional<T>& value) {
  return value ? fmt::to_string(*value) : "";
}

std::string time(double us) { return std::isfinite(us) ? fmt::format("{:.4f}", us) : ""; }

class Csv : public Report {
 public:
  Csv(std::ostream& out, const Station& station) : out_(out) {
    for (const std::string& line : header(station)) note(line);
  }

  void row(const Row& row) override {
    if (!titled_)
      out_ << "by,collective,requested,algorithm,configuration,form,topology,nodes,bytes,root,op,datatype,"
              "channel,wait,min_us,median_us,p99_us,algbw_GBps,busbw_GBps,limit_us,ratio,wrong\n";
    titled_ = true;
    out_ << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", row.by,
                        row.collective, field(row.requested), field(row.algorithm), field(row.configuration),
                        row.form, row.topology, row.nodes, row.bytes, field(row.root), field(row.op),
                        field(row.datatype), row.channel, row.wait, time(row.time_us.min),
                        time(row.time_us.median), time(row.time_us.p99), field(row.algbw_GBps),
                        field(row.busbw_GBps), field(row.limit_us), field(row.ratio), row.wrong);
    out_.flush();
  }

  void note(std::string_view text) override { out_ << "# " << text << '\n'; }
  void end(const std::vector<std::string>& closing) override {
    for (const std::string& line : closing) note(line);
    out_.flush();
  }

 private:
  std::ostream& out_;
  bool titled_ = false;
};

}  // namespace

std::unique_ptr<Report> csv_report(std::ostream& out, const Station& station) {
  return std::make_unique<Csv>(out, station);
}

}  // namespace vnode::bench
