#pragma once

#include <string>
#include <string_view>

#include <vnode/lab/draw.hpp>

#include "draw/drawing.hpp"

namespace vnode {

/// Writes the drawing as SVG: a whole document without outside references, with title and description.
std::string to_svg(const Drawing& drawing, Theme theme);
/// Returns the colours of the theme as a style element: classes s0, s1, ... for strokes and f0, f1, ... for
/// fills, by ink.
std::string style(Theme theme);
/// Returns `text` for XML and HTML, in an element or a quoted attribute; characters that XML forbids become
/// U+FFFD.
std::string escaped(std::string_view text);

}  // namespace vnode
