#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/station.hpp"

namespace vnode::bench {

/// A small table that is written at once: what `limits`, `targets` and `guidelines` print.
class Grid {
 public:
  using Cell = nlohmann::ordered_json;  ///< text, number, true, false, or null

  Grid(std::string name, const Station& station, std::vector<std::string> columns);
  /// As many cells as there are columns.
  void row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  /// Something worth knowing that is not a row.
  void note(std::string text) { notes_.push_back(std::move(text)); }
  /// As JSON: {"machine": {..., "notes": [...]}, name: [{column: cell, ...}, ...]}.
  void write(Format format, std::ostream& out) const;

 private:
  void write_table(std::ostream& out) const;
  void write_csv(std::ostream& out) const;
  void write_json(std::ostream& out) const;

  const std::string name_;
  const Station station_;
  const std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::string> notes_;
};

}  // namespace vnode::bench
