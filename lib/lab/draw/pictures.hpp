#pragma once

#include <string>

#include <vnode/lab/draw.hpp>

#include "draw/drawing.hpp"

namespace vnode {

/// Return the drawings of pictures. They throw UsageError as draw() does.
Drawing drawing_of(const HeatMapPicture& picture);
Drawing drawing_of(const MappingPicture& picture);
Drawing drawing_of(const SpaceTimePicture& picture);

/// Returns a time for people: "12 us", "1.5 ms".
std::string time_text(double seconds);
/// Returns the least of 1, 2, 5, 10, 20, … times a power of ten that divides `seconds` into at most `parts`
/// parts.
double tick(double seconds, int parts);

}  // namespace vnode
