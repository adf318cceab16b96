#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vnode {

/// As RFC 4180 has it: in quotes, doubled inside, if there is a comma, a quote or an end of line in it.
std::string csv_field(const std::string& text);
/// Its fields with commas between them, and the end of the line.
std::string csv_line(const std::vector<std::string>& fields);

/// A number with so many digits that a count is exact.
std::string csv_number(double value);
/// A time in microseconds, with six digits; nothing where it is not known.
std::string csv_microseconds(std::optional<double> seconds);

}  // namespace vnode
