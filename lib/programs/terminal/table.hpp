#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace vnode {

/// Returns rows of equally many cells as lines, with columns as wide as their widest cell: the cells of the
/// first `left` columns begin at the left, the others end at the right. Where a line would be longer than
/// `width`, columns that find no place make a table of their own below, which begins with the same first
/// columns, the `naming`: as many as `left` unless it says otherwise, or one where that leaves no room.
std::string table(const std::vector<std::vector<std::string>>& rows, std::size_t left = 1,
                  std::size_t width = static_cast<std::size_t>(-1), std::optional<std::size_t> naming = {});

/// Returns rows of a name, a number and a text as lines, in which texts that find no place are folded below
/// themselves.
std::string table_with_text(const std::vector<std::vector<std::string>>& rows, std::size_t width);

/// Takes those of the first `columns` columns away in which all rows but the first, which has their names,
/// say the same, and returns them as "mapping compact, banks owner"; nothing where there is only one row or
/// none.
std::string take_common(std::vector<std::vector<std::string>>& rows, std::size_t columns);

/// Is the indent of lines that go on from one above, where there is one.
inline constexpr std::size_t hanging = 4;
/// Returns text of several words as lines of at most `width` letters, those after the first indented by
/// `indent`.
std::string folded(const std::string& text, std::size_t width, std::size_t indent = 0);
/// Returns lines of which each is folded so; what goes on begins below a line's second column, behind two
/// blanks or more, where half of the width is left there, or else below its first word.
std::string folded_lines(const std::string& lines, std::size_t width);

}  // namespace vnode
