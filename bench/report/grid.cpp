#include "report/grid.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "report/machine_json.hpp"
#include "report/text.hpp"
#include "terminal/csv.hpp"
#include "terminal/table.hpp"

namespace vnode::bench {
namespace {

std::string text(const Grid::Cell& cell, const char* nothing) {
  if (cell.is_null()) return nothing;
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (cell.is_number_float())
    return std::isfinite(cell.get<double>()) ? fmt::format("{:.4f}", cell.get<double>()) : nothing;
  return cell.dump();
}

}  // namespace

Grid::Grid(std::string name, const Station& station, std::vector<std::string> columns)
    : name_(std::move(name)), station_(station), columns_(std::move(columns)) {}

void Grid::write(Format format, std::ostream& out) const {
  if (format == Format::json) return write_json(out);
  for (const std::string& line : header(station_)) out << comment(line);
  for (const std::string& note : notes_) out << comment(note);
  if (format == Format::csv) return write_csv(out);
  write_table(out);
}

void Grid::write_table(std::ostream& out) const {
  std::vector<std::vector<std::string>> rows{columns_};
  std::size_t words = columns_.size();  // columns without a number, at the left
  for (const std::vector<Cell>& row : rows_) {
    std::vector<std::string>& texts = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      texts.push_back(text(row[i], "-"));
      if (row[i].is_number()) words = std::min(words, i);
    }
  }
  out << table(rows, words, report_width) << std::flush;
}

void Grid::write_csv(std::ostream& out) const {
  out << csv_line(columns_);
  for (const std::vector<Cell>& row : rows_) {
    std::vector<std::string> fields;
    for (const Cell& cell : row) fields.push_back(text(cell, ""));
    out << csv_line(fields);
  }
  out.flush();
}

void Grid::write_json(std::ostream& out) const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::vector<Cell>& row : rows_) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < columns_.size(); ++i) object[columns_[i]] = row[i];
    list.push_back(std::move(object));
  }
  nlohmann::ordered_json machine = machine_json(station_);
  machine["notes"] = notes_;
  out << nlohmann::ordered_json{{"machine", machine}, {name_, list}}.dump(2) << '\n' << std::flush;
}

}  // namespace vnode::bench
