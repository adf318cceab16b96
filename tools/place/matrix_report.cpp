#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <vnode/lab/charts.hpp>
#include <vnode/version.hpp>

#include "base/at.hpp"
#include "base/counted.hpp"
#include "campaign/results.hpp"
#include "place/reports.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"
#include "terminal/units.hpp"
#include "terminal/width.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

int bank_number(const Machine& machine, int bank) {
  return machine.numas[static_cast<std::size_t>(bank)].os_index;
}

std::string gigabytes(double speed) { return fmt::format("{:.2f}", speed * 1e-9); }

std::string bank_name(const Machine& machine, int bank) {
  const int number = bank_number(machine, bank);
  return number < 0 ? "the bank" : fmt::format("bank {}", number);
}

/// Returns these names and those of two columns for each bank.
Rows head(const Machine& machine, const BandwidthMatrix& matrix, std::vector<std::string> names) {
  for (const int bank : matrix.banks)
    for (const char* const what : {"read", "write"})
      names.push_back(fmt::format("{} {}", bank_name(machine, bank), what));
  return {std::move(names)};
}

Rows core_rows(const Machine& machine, const BandwidthMatrix& matrix) {
  Rows rows = head(machine, matrix, {"PU", "NUMA node"});
  for (std::size_t core = 0; core < matrix.pus.size(); ++core) {
    const Pu& pu = at(machine.pus, matrix.pus[core]);
    const int numa = bank_number(machine, pu.numa);
    rows.push_back({fmt::to_string(pu.os_index), numa < 0 ? "-" : fmt::to_string(numa)});
    for (std::size_t bank = 0; bank < matrix.banks.size(); ++bank) {
      rows.back().push_back(gigabytes(matrix.read[core][bank]));
      rows.back().push_back(gigabytes(matrix.write[core][bank]));
    }
  }
  return rows;
}

Rows curve_rows(const Machine& machine, const BandwidthMatrix& matrix) {
  Rows rows = head(machine, matrix, {"streams"});
  for (std::size_t k = 1; k <= matrix.pus.size(); ++k) {
    rows.push_back({fmt::to_string(k)});
    for (const BandwidthMatrix::Curve& curve : matrix.curves) {
      rows.back().push_back(gigabytes(curve.read[k - 1]));
      rows.back().push_back(gigabytes(curve.write[k - 1]));
    }
  }
  return rows;
}

constexpr const char* cores_title = "one core alone, GB/s";
constexpr const char* curves_title = "streams at once on a bank, the nearest cores first, all together GB/s";

std::string heading(const Machine& machine, const BandwidthMatrix& matrix) {
  const MachineRecord record = record_of(machine);
  return fmt::format("{}{}{}: {}, {} that may be used (digest {}); vnode {}, {}", record.source,
                     record.model.empty() ? "" : ", ", record.model,
                     matrix.banks.size() == 1 ? "one bank" : counted(matrix.banks.size(), "bank"),
                     counted(matrix.pus.size(), "core"), record.digest, version(), utc_now());
}

MatrixChart chart_of(const Machine& machine, const BandwidthMatrix& matrix) {
  MatrixChart chart{.title = "Bandwidth of banks by streams",
                    .note = heading(machine, matrix),
                    .unit = "GB/s, of so many streams at once together"};
  for (const int bank : matrix.banks) chart.columns.push_back(bank_name(machine, bank));
  chart.panels = {{.caption = "read"}, {.caption = "written"}};
  for (std::size_t k = 1; k <= matrix.pus.size(); ++k) {
    chart.labels.push_back(counted(k, "stream"));
    for (MatrixChart::Panel& panel : chart.panels) panel.values.emplace_back();
    for (const BandwidthMatrix::Curve& curve : matrix.curves) {
      chart.panels[0].values.back().push_back(curve.read[k - 1] * 1e-9);
      chart.panels[1].values.back().push_back(curve.write[k - 1] * 1e-9);
    }
  }
  return chart;
}

ReportPage::Table page_table(const std::string& caption, const Rows& rows) {
  return {.caption = caption, .head = rows.front(), .rows = {rows.begin() + 1, rows.end()}};
}

std::string matrix_table(const Machine& machine, const BandwidthMatrix& matrix, std::size_t width) {
  std::string text = fmt::format("{}\n\n{}:\n{}\n{}:\n{}", folded(heading(machine, matrix), width, hanging),
                                 cores_title, table(core_rows(machine, matrix), 0, width), curves_title,
                                 table(curve_rows(machine, matrix), 0, width));
  for (const std::string& sentence : matrix.degraded)
    text += fmt::format("{}{}\n", &sentence == matrix.degraded.data() ? "\n" : "",
                        folded(sentence, width, hanging));
  return text;
}

std::string matrix_csv(const Machine& machine, const BandwidthMatrix& matrix) {
  std::string text = "bank,pu,streams,read_gb_per_s,write_gb_per_s\n";
  const auto line = [&](std::size_t bank, const std::string& pu, std::size_t streams, double read,
                        double write) {
    text += csv_line({fmt::to_string(bank_number(machine, matrix.banks[bank])), pu, fmt::to_string(streams),
                      gigabytes(read), gigabytes(write)});
  };
  for (std::size_t bank = 0; bank < matrix.banks.size(); ++bank) {
    for (std::size_t core = 0; core < matrix.pus.size(); ++core)
      line(bank, fmt::to_string(at(machine.pus, matrix.pus[core]).os_index), 1, matrix.read[core][bank],
           matrix.write[core][bank]);
    const BandwidthMatrix::Curve& curve = matrix.curves[bank];
    for (std::size_t k = 1; k <= curve.read.size(); ++k)
      line(bank, "", k, curve.read[k - 1], curve.write[k - 1]);
  }
  return text;
}

std::string matrix_json(const Machine& machine, const BandwidthMatrix& matrix) {
  const MachineRecord record = record_of(machine);
  Json cores = Json::array(), banks = Json::array();
  for (std::size_t core = 0; core < matrix.pus.size(); ++core)
    cores.push_back({{"pu", at(machine.pus, matrix.pus[core]).os_index},
                     {"numa", bank_number(machine, at(machine.pus, matrix.pus[core]).numa)},
                     {"read", matrix.read[core]},
                     {"write", matrix.write[core]}});
  for (std::size_t bank = 0; bank < matrix.banks.size(); ++bank) {
    std::vector<int> numbers;
    for (const int pu : matrix.curves[bank].pus) numbers.push_back(at(machine.pus, pu).os_index);
    banks.push_back({{"numa", bank_number(machine, matrix.banks[bank])},
                     {"bytes", matrix.bytes[bank]},
                     {"streams_on", numbers},
                     {"read", matrix.curves[bank].read},
                     {"write", matrix.curves[bank].write}});
  }
  const Json json{{"version", version()},      {"when", utc_now()},          {"machine", record.source},
                  {"model", record.model},     {"digest", record.digest},    {"cores", std::move(cores)},
                  {"banks", std::move(banks)}, {"degraded", matrix.degraded}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string matrix_html(const Machine& machine, const BandwidthMatrix& matrix, Theme theme) {
  ReportPage report{.title = "Bandwidth of banks", .words = {heading(machine, matrix)}};
  report.words.insert(report.words.end(), matrix.degraded.begin(), matrix.degraded.end());
  if (matrix.pus.size() > 1) report.chart = chart_of(machine, matrix);
  report.tables = {page_table(cores_title, core_rows(machine, matrix)),
                   page_table(curves_title, curve_rows(machine, matrix))};
  return page(report, theme);
}

}  // namespace

std::string matrix_report(const Machine& machine, const BandwidthMatrix& matrix,
                          const ReportOptions& options) {
  switch (options.form) {
    case ReportOptions::Form::json:
      return matrix_json(machine, matrix);
    case ReportOptions::Form::csv:
      return matrix_csv(machine, matrix);
    case ReportOptions::Form::svg:
      return to_svg(chart_of(machine, matrix), options.theme);
    case ReportOptions::Form::html:
      return matrix_html(machine, matrix, options.theme);
    case ReportOptions::Form::table:
      break;
  }
  return matrix_table(machine, matrix, terminal_width());
}

}  // namespace vnode
