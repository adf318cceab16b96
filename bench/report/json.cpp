#include <cmath>
#include <nlohmann/json.hpp>

#include "report/machine_json.hpp"
#include "report/report.hpp"

namespace vnode::bench {
namespace {

using Json = nlohmann::ordered_json;

Json value(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

template <class T>
Json value(const std::optional<T>& optional) {
  if (!optional) return nullptr;
  if constexpr (std::is_same_v<T, double>) return value(*optional);
  return *optional;
}

class JsonReport : public Report {
 public:
  JsonReport(std::ostream& out, const Station& station) : out_(out), machine_(machine_json(station)) {
    machine_["notes"] = Json::array();
  }

  void row(const Row& row) override {
    results_.push_back({{"by", row.by},
                        {"collective", row.collective},
                        {"requested", value(row.requested)},
                        {"algorithm", value(row.algorithm)},
                        {"configuration", value(row.configuration)},
                        {"form", row.form},
                        {"topology", row.topology},
                        {"nodes", row.nodes},
                        {"bytes", row.bytes},
                        {"root", value(row.root)},
                        {"op", value(row.op)},
                        {"datatype", value(row.datatype)},
                        {"channel", row.channel},
                        {"wait", row.wait},
                        {"time_us",
                         {{"min", value(row.time_us.min)},
                          {"median", value(row.time_us.median)},
                          {"p99", value(row.time_us.p99)}}},
                        {"algbw_GBps", value(row.algbw_GBps)},
                        {"busbw_GBps", value(row.busbw_GBps)},
                        {"limit_us", value(row.limit_us)},
                        {"ratio", value(row.ratio)},
                        {"wrong", row.wrong}});
  }

  void note(std::string_view text) override { machine_["notes"].push_back(text); }

  void end(const std::vector<std::string>& closing) override {
    for (const std::string& line : closing) note(line);
    const Json document{{"machine", machine_}, {"results", results_}};
    out_ << document.dump(2) << '\n' << std::flush;
  }

 private:
  std::ostream& out_;
  Json machine_, results_ = Json::array();
};

}  // namespace

std::unique_ptr<Report> json_report(std::ostream& out, const Station& station) {
  return std::make_unique<JsonReport>(out, station);
}

}  // namespace vnode::bench
