#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/draw.hpp>

#include "compare/comparison.hpp"

namespace vnode {

/// "broadcast on 8 nodes, full".
std::string comparison_title(const Contest& contest);
/// "costs, typical: t_s = 150.0 ns ...".
std::string costs_text(const Contest& contest);
/// Whether there are measured times.
bool measured(const Comparison& comparison);
/// Measured by predicted time; none where nothing was predicted.
std::optional<double> ratio(const Entry& entry, std::size_t kind);
/// A line of names, and for each size a line for each algorithm; those with the same times have one together,
/// unless they were measured. The first cell of a size has its name, of the others nothing.
std::vector<std::vector<std::string>> comparison_rows(const Comparison& comparison);
/// What there is to say of these rows, a sentence or a list each.
std::vector<std::string> comparison_notes(const Contest& contest, const Comparison& comparison);

/// For a person, in lines of `width` letters if that is possible.
std::string comparison_table(const Contest& contest, const Comparison& comparison, std::size_t width);
/// One JSON object.
std::string comparison_json(const Contest& contest, const Comparison& comparison);
/// RFC 4180, one row for each algorithm and size, with a header.
std::string comparison_csv(const Comparison& comparison);
/// Time over size: a line for each algorithm; dashed where it was measured.
std::string comparison_svg(const Contest& contest, const Comparison& comparison, Theme theme);
/// A page with the same and with all that the table has.
std::string comparison_html(const Contest& contest, const Comparison& comparison, Theme theme);

}  // namespace vnode
