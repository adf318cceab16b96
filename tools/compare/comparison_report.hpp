#pragma once

#include <string>

#include <vnode/draw.hpp>

#include "compare/comparison.hpp"

namespace vnode {

/// For a person: a line for each algorithm, size by size.
std::string comparison_table(const Contest& contest, const Comparison& comparison);
/// One JSON object.
std::string comparison_json(const Contest& contest, const Comparison& comparison);
/// RFC 4180, one row for each algorithm and size, with a header.
std::string comparison_csv(const Comparison& comparison);
/// Time over size: a line for each algorithm; dashed where it was measured.
std::string comparison_svg(const Contest& contest, const Comparison& comparison, Theme theme);

}  // namespace vnode
