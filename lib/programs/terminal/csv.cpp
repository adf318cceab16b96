#include "terminal/csv.hpp"

#include <fmt/format.h>

namespace vnode {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != fields.data()) line += ',';
    line += csv_field(field);
  }
  line += '\n';
  return line;
}

std::string csv_number(double value) { return fmt::format("{:.10g}", value); }

std::string csv_microseconds(std::optional<double> seconds) {
  return seconds ? fmt::format("{:.6g}", *seconds * 1e6) : "";
}

}  // namespace vnode
