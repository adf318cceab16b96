#include "terminal/table.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace vnode {
namespace {

constexpr std::size_t gap = 2;

using Rows = std::vector<std::vector<std::string>>;

/// Returns the columns of these numbers as lines.
std::string lines_of(const Rows& rows, std::size_t left, const std::vector<std::size_t>& columns,
                     const std::vector<std::size_t>& widths) {
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (const std::size_t i : columns) {
      if (i > 0) line.append(gap, ' ');
      line += i < left ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("{:>{}}", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace

std::string table(const Rows& rows, std::size_t left, std::size_t width, std::optional<std::size_t> naming) {
  if (rows.empty()) return "";
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::vector<std::size_t> named(std::clamp<std::size_t>(naming.value_or(left), 1, widths.size()));
  std::iota(named.begin(), named.end(), std::size_t{0});
  const auto room = [&](std::size_t columns) {
    const auto begin = widths.begin(), end = begin + static_cast<std::ptrdiff_t>(columns);
    const std::size_t widest = end == widths.end() ? 0 : *std::max_element(end, widths.end());
    return std::accumulate(begin, end, columns * gap) + widest <= width;
  };
  if (!room(named.size())) named.resize(1);
  std::string text;
  std::size_t next = named.size();
  do {
    std::vector<std::size_t> columns = named;
    std::size_t used = 0;
    for (const std::size_t i : columns) used += widths[i] + gap;
    while (next < widths.size() && (columns.size() == named.size() || used + widths[next] <= width)) {
      used += widths[next] + gap;
      columns.push_back(next++);
    }
    text += (text.empty() ? "" : "\n") + lines_of(rows, left, columns, widths);
  } while (next < widths.size());
  return text;
}

std::string take_common(std::vector<std::vector<std::string>>& rows, std::size_t columns) {
  std::string common;
  if (rows.size() < 3) return common;
  for (std::size_t i = columns; i-- > 0;) {
    const auto differs = [&](const auto& row) { return row[i] != rows[1][i]; };
    if (std::any_of(rows.begin() + 1, rows.end(), differs)) continue;
    common = fmt::format("{} {}{}{}", rows.front()[i], rows[1][i], common.empty() ? "" : ", ", common);
    for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return common;
}

std::string folded(const std::string& text, std::size_t width, std::size_t indent) {
  std::string lines = text;
  for (std::size_t begin = 0, room = width; lines.size() - begin > room;) {
    std::size_t blank = lines.rfind(' ', begin + room);
    if (blank == std::string::npos || blank <= begin) blank = lines.find(' ', begin + room);
    if (blank == std::string::npos) break;
    lines[blank] = '\n';
    lines.insert(blank + 1, indent, ' ');
    begin = blank + 1 + indent;
    room = width - std::min(indent, width - 1);
  }
  return lines;
}

std::string table_with_text(const Rows& rows, std::size_t width) {
  Rows named;
  for (const auto& row : rows) named.push_back({row[0], row[1]});
  const std::string lines = table(named);
  std::string text;
  std::size_t begin = 0;
  for (const auto& row : rows) {
    const std::size_t end = lines.find('\n', begin);
    const std::string line = lines.substr(begin, end - begin) + std::string(gap + 1, ' ');
    text += folded(line + row[2], width, line.size()) + '\n';
    begin = end + 1;
  }
  return text;
}

std::string folded_lines(const std::string& lines, std::size_t width) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end + 1) {
    end = std::min(lines.find('\n', begin), lines.size());
    const std::string line = lines.substr(begin, end - begin);
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t second = line.find_first_not_of(' ', line.find("  ", first));
    text += folded(line, width, second < width / 2 ? second : first) + '\n';
  }
  return text;
}

}  // namespace vnode
