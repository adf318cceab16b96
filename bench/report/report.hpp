#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/row.hpp"
#include "report/station.hpp"

namespace vnode::bench {

enum class Format {
  table,    ///< a line for each contestant
  summary,  ///< a line for each size
  csv,
  json
};

/// Where rows go, as they come.
class Report {
 public:
  virtual ~Report() = default;
  virtual void row(const Row& row) = 0;
  /// Something worth knowing that is not a row.
  virtual void note(std::string_view text) = 0;
  /// After the last row; `closing` is what there is to say of all of them.
  virtual void end(const std::vector<std::string>& closing) = 0;
};

std::unique_ptr<Report> table_report(std::ostream& out, const Station& station);
/// A line for each size: vnode and the limit, and the medians of all others beside.
std::unique_ptr<Report> summary_report(std::ostream& out, const Station& station);
/// As OSU's programs do: a table for each collective and contestant, `full` with all columns.
std::unique_ptr<Report> osu_report(std::ostream& out, const Station& station, bool full);
std::unique_ptr<Report> csv_report(std::ostream& out, const Station& station);
/// Writes everything in end(): {"machine": {...}, "results": [...]}; notes are machine's "notes".
std::unique_ptr<Report> json_report(std::ostream& out, const Station& station);
}  // namespace vnode::bench
