#include "terminal/listing.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "terminal/csv.hpp"
#include "terminal/table.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const auto& value) {
  return std::visit(
      [](const auto& one) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, std::monostate>)
          return nullptr;
        else
          return one;  // a number that is not finite is written as null
      },
      value);
}

}  // namespace

std::string Field::text(const char* missing, const char* format) const {
  if (const bool* const yes = std::get_if<bool>(&value_)) return *yes ? "yes" : "no";
  if (const auto* const number = std::get_if<std::int64_t>(&value_)) return fmt::to_string(*number);
  if (const auto* const text = std::get_if<std::string>(&value_)) return *text;
  const double* const number = std::get_if<double>(&value_);
  return number != nullptr && std::isfinite(*number) ? fmt::format(fmt::runtime(format), *number) : missing;
}

std::string Field::json() const { return json_of(value_).dump(); }

std::vector<std::vector<std::string>> Listing::texts(const char* missing) const {
  std::vector<std::vector<std::string>> lines{columns_};
  for (const std::vector<Field>& row : rows_) {
    std::vector<std::string>& texts = lines.emplace_back();
    for (const Field& field : row) texts.push_back(field.text(missing));
  }
  return lines;
}

std::string Listing::table(std::size_t width) const {
  std::size_t words = columns_.size();  // columns without a number, at the left
  for (const std::vector<Field>& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i)
      if (row[i].is_number()) words = std::min(words, i);
  return vnode::table(texts("-"), words, width);
}

std::string Listing::csv() const {
  std::string lines;
  for (const std::vector<std::string>& texts : texts("")) lines += csv_line(texts);
  return lines;
}

std::string Listing::json() const {
  Json list = Json::array();
  for (const std::vector<Field>& row : rows_) {
    Json object;
    for (std::size_t i = 0; i < columns_.size(); ++i) object[columns_[i]] = Json::parse(row[i].json());
    list.push_back(std::move(object));
  }
  return list.dump(2);
}

}  // namespace vnode
