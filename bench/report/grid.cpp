#include "report/grid.hpp"

#include <cmath>
#include <fmt/format.h>

#include "report/machine_json.hpp"

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

std::string quoted(std::string field) {
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string doubled;
  for (const char letter : field) doubled.append(letter == '"' ? 2 : 1, letter);
  return '"' + doubled + '"';
}

}  // namespace

Grid::Grid(std::string name, const Station& station, std::vector<Column> columns)
    : name_(std::move(name)), station_(station), columns_(std::move(columns)) {}

void Grid::write(Format format, std::ostream& out) const {
  if (format == Format::json) return write_json(out);
  for (const std::string& line : header(station_)) out << "# " << line << '\n';
  for (const std::string& note : notes_) out << "# " << note << '\n';
  if (format == Format::csv) return write_csv(out);
  write_table(out);
}

void Grid::write_table(std::ostream& out) const {
  for (const Column& column : columns_) out << fmt::format("{:<{}} ", column.name, column.width);
  out << '\n';
  for (const std::vector<Cell>& row : rows_) {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      out << (row[i].is_number() ? fmt::format("{:>{}} ", text(row[i], "-"), columns_[i].width)
                                 : fmt::format("{:<{}} ", text(row[i], "-"), columns_[i].width));
    out << '\n';
  }
  out.flush();
}

void Grid::write_csv(std::ostream& out) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) out << (i == 0 ? "" : ",") << columns_[i].name;
  out << '\n';
  for (const std::vector<Cell>& row : rows_) {
    for (std::size_t i = 0; i < columns_.size(); ++i) out << (i == 0 ? "" : ",") << quoted(text(row[i], ""));
    out << '\n';
  }
  out.flush();
}

void Grid::write_json(std::ostream& out) const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::vector<Cell>& row : rows_) {
    nlohmann::ordered_json object;
    for (std::size_t i = 0; i < columns_.size(); ++i) object[columns_[i].name] = row[i];
    list.push_back(std::move(object));
  }
  nlohmann::ordered_json machine = machine_json(station_);
  machine["notes"] = notes_;
  out << nlohmann::ordered_json{{"machine", machine}, {name_, list}}.dump(2) << '\n' << std::flush;
}

}  // namespace vnode::bench
