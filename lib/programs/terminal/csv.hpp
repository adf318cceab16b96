#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vnode {

/// Returns a field as RFC 4180 has it: in quotes, doubled inside, if there is a comma, a quote or an end of
/// line in it.
std::string csv_field(const std::string& text);
/// Returns a line: its fields with commas between them, and the end of the line.
std::string csv_line(const std::vector<std::string>& fields);

/// Returns a number with so many digits that a count is exact.
std::string csv_number(double value);
/// Returns a time in microseconds, with six digits; "" where it is not known.
std::string csv_microseconds(std::optional<double> seconds);

}  // namespace vnode
