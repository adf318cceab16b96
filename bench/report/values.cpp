#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "report/report.hpp"
#include "report/text.hpp"
#include "terminal/csv.hpp"

namespace vnode::bench {
namespace {

using Json = nlohmann::ordered_json;

Json station_json(const Station& station) {
  return {
      {"program", station.program},       {"compiler", station.compiler}, {"system", station.system},
      {"model", station.model},           {"packages", station.packages}, {"numa_nodes", station.numa_nodes},
      {"cores", station.cores},           {"pus", station.pus},           {"cores_used", station.cores_used},
      {"pinning", station.pinning},       {"clock", station.clock},       {"timing", station.timing},
      {"cold_bytes", station.cold_bytes}, {"beside", station.beside}};
}

// Returns all that is known of a row, by the names of CSV. JSON has the times together, below
// "time_us".
std::vector<std::pair<std::string, Field>> fields_of(const Row& row) {
  return {{"by", row.by},
          {"collective", row.collective},
          {"requested", row.requested},
          {"algorithm", row.algorithm},
          {"configuration", row.configuration},
          {"form", row.form},
          {"topology", row.topology},
          {"nodes", row.nodes},
          {"bytes", row.bytes},
          {"root", row.root},
          {"op", row.op},
          {"datatype", row.datatype},
          {"channel", row.channel},
          {"wait", row.wait},
          {"calls", row.calls},
          {"mean_us", row.means.all_us > 0 ? row.means.all_us : row.time_us.mean},
          {"min_us", row.time_us.min},
          {"p25_us", row.time_us.p25},
          {"median_us", row.time_us.median},
          {"p75_us", row.time_us.p75},
          {"p90_us", row.time_us.p90},
          {"p99_us", row.time_us.p99},
          {"p99.9_us", row.time_us.p999},
          {"algbw_GBps", row.algbw_GBps},
          {"busbw_GBps", row.busbw_GBps},
          {"limit_us", row.limit_us},
          {"ratio", row.ratio},
          {"wrong", row.wrong},
          {"cold_bytes", row.cold_bytes},
          {"beside", row.beside}};
}

bool is_time(const std::string& name) { return name.ends_with("_us") && name != "limit_us"; }

class CsvReport : public Report {
 public:
  CsvReport(std::ostream& out, const Station& station) : out_(out) {
    for (const std::string& line : header(station)) note(line);
  }

  void row(const Row& row) override {
    std::vector<std::string> names, texts;
    for (const auto& [name, field] : fields_of(row)) {
      names.push_back(name);
      texts.push_back(field.text("", is_time(name) ? "{:.4f}" : "{}"));
    }
    if (!std::exchange(titled_, true)) out_ << csv_line(names);
    out_ << csv_line(texts) << std::flush;
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

class JsonReport : public Report {
 public:
  JsonReport(std::ostream& out, const Station& station) : out_(out), machine_(station_json(station)) {
    machine_["notes"] = Json::array();
  }

  void row(const Row& row) override {
    Json object;
    for (const auto& [name, field] : fields_of(row))
      (is_time(name) ? object["time_us"][name.substr(0, name.size() - 3)] : object[name]) =
          Json::parse(field.json());
    results_.push_back(std::move(object));
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

std::unique_ptr<Report> csv_report(std::ostream& out, const Station& station) {
  return std::make_unique<CsvReport>(out, station);
}

std::unique_ptr<Report> json_report(std::ostream& out, const Station& station) {
  return std::make_unique<JsonReport>(out, station);
}

void write(std::ostream& out, Format format, const std::string& name, const Listing& listing,
           const Station& station, const std::vector<std::string>& notes) {
  if (format == Format::html) return write_page(out, name, listing, station, notes);
  if (format == Format::json) {
    Json machine = station_json(station);
    machine["notes"] = notes;
    const Json document{{"machine", machine}, {name, Json::parse(listing.json())}};
    out << document.dump(2) << '\n' << std::flush;
    return;
  }
  for (const std::string& line : header(station)) out << comment(line);
  for (const std::string& note : notes) out << comment(note);
  out << (format == Format::csv ? listing.csv() : listing.table(report_width())) << std::flush;
}

}  // namespace vnode::bench
