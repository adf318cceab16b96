#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace vnode {

/// Holds nothing, yes or no, a number, or text. A number that is not finite is written as nothing.
class Field {
 public:
  Field() = default;
  template <class Value>
  Field(const Value& value) {
    if constexpr (std::is_same_v<Value, bool>)
      value_ = value;
    else if constexpr (std::is_integral_v<Value>)
      value_ = static_cast<std::int64_t>(value);
    else if constexpr (std::is_floating_point_v<Value>)
      value_ = static_cast<double>(value);
    else
      value_ = std::string(value);
  }
  template <class Value>
  Field(const std::optional<Value>& value) : Field(value ? Field(*value) : Field()) {}

  bool is_number() const { return value_.index() == 2 || value_.index() == 3; }
  /// Returns `missing` for nothing; numbers with a fraction as `format` has it.
  std::string text(const char* missing, const char* format = "{:.4f}") const;
  /// Returns a JSON value.
  std::string json() const;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string> value_;
};

/// Holds rows of fields below names, which are written as a table, as CSV or as JSON.
class Listing {
 public:
  explicit Listing(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  /// Adds a row of as many fields as there are columns.
  void row(std::vector<Field> fields) { rows_.push_back(std::move(fields)); }

  /// Returns the names, and the fields of each row in words; what is nothing is `missing`.
  std::vector<std::vector<std::string>> texts(const char* missing) const;
  /// Returns lines of at most `width` letters if that is possible; what is nothing is "-".
  std::string table(std::size_t width) const;
  /// Returns RFC 4180's lines, the first of which has the names.
  std::string csv() const;
  /// Returns a JSON array with an object for each row.
  std::string json() const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<Field>> rows_;
};

}  // namespace vnode
