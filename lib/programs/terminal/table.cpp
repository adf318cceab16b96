#include "terminal/table.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace vnode {
namespace {

constexpr std::size_t gap = 2, indentation = 4;

/// Tells which columns begin a line.
std::vector<bool> line_begins(const std::vector<std::size_t>& widths, std::size_t width) {
  std::vector<bool> begins(widths.size());
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    begins[i] = i == 0 || used + gap + widths[i] > width;
    used = i == 0 ? widths[i] : begins[i] ? indentation + widths[i] : used + gap + widths[i];
  }
  return begins;
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left, std::size_t width) {
  if (rows.empty()) return "";
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  const std::vector<bool> begins = line_begins(widths, width);
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    const auto end_line = [&] {
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + '\n';
    };
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && begins[i]) {
        end_line();
        line.assign(indentation, ' ');
      } else if (i > 0) {
        line.append(gap, ' ');
      }
      line += i < left ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("{:>{}}", row[i], widths[i]);
    }
    end_line();
  }
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

}  // namespace vnode
