#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/model/latencies.hpp>

namespace vnode {
namespace {

/// Reads a line's numbers; an empty field is 0.
std::vector<double> numbers_of(std::string_view line, std::size_t number) {
  std::vector<double> numbers;
  for (std::size_t begin = 0, end = 0; end != line.npos; begin = end + 1) {
    end = line.find(',', begin);
    std::string_view field = line.substr(begin, end - begin);
    while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
    while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
    double& value = numbers.emplace_back(0);
    if (field.empty()) continue;
    const auto [rest, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || rest != field.data() + field.size() || !(value >= 0) || value > 1e9)
      throw UsageError(fmt::format("latencies, line {}: '{}' is no number of nanoseconds", number, field));
  }
  return numbers;
}

}  // namespace

double Latencies::between(int a, int b) const {
  if (a == b) return 0;
  return below.at(static_cast<std::size_t>(std::max(a, b))).at(static_cast<std::size_t>(std::min(a, b)));
}

Latencies latencies_from_csv(std::string_view text) {
  std::vector<std::vector<double>> rows;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin = end + 1;
    rows.push_back(numbers_of(line, rows.size() + 1));
  }
  while (text.ends_with("\n\n")) {  // lines behind the matrix
    text.remove_suffix(1);
    rows.pop_back();
  }
  Latencies latencies;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    if (rows[a].size() > rows.size())
      throw UsageError(fmt::format("latencies, line {}: {} fields, but there are {} lines: one for each PU",
                                   a + 1, rows[a].size(), rows.size()));
    std::vector<double>& row = latencies.below.emplace_back(a);
    for (std::size_t b = 0; b < a; ++b) {
      const double there = b < rows[a].size() ? rows[a][b] : 0, back = a < rows[b].size() ? rows[b][a] : 0;
      row[b] = (there > 0 && back > 0 ? (there + back) / 2 : std::max(there, back)) * 1e-9;
    }
  }
  if (latencies.pus() < 2)
    throw UsageError("latencies: expected a matrix of two PUs at least, a line for each");
  return latencies;
}

std::string to_csv(const Latencies& latencies) {
  std::string text;
  for (const std::vector<double>& row : latencies.below)
    for (std::size_t b = 0; b < latencies.below.size(); ++b) {
      if (b < row.size() && row[b] > 0) text += fmt::format("{:.1f}", row[b] * 1e9);
      text += b + 1 < latencies.below.size() ? ',' : '\n';
    }
  return text;
}

}  // namespace vnode
