#pragma once

#include <string>

#include <vnode/lab/draw.hpp>

#include "draw/drawing.hpp"

namespace vnode {

/// UsageError as of draw().
Drawing drawing_of(const SpaceTimePicture& picture);
std::string text_of(const SpaceTimePicture& picture);

/// A time for people: "12 us", "1.5 ms".
std::string time_text(double seconds);
/// The least of 1, 2, 5, 10, 20, … times a power of ten that divides `seconds` into at most `parts` parts.
double tick(double seconds, int parts);

}  // namespace vnode
