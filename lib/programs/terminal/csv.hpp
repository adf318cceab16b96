#pragma once

#include <string>
#include <vector>

namespace vnode {

/// As RFC 4180 has it: in quotes, doubled inside, if there is a comma, a quote or an end of line in it.
std::string csv_field(const std::string& text);
/// Its fields with commas between them, and the end of the line.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace vnode
