#pragma once

#include <string>

#include <vnode/lab/draw.hpp>

#include "draw/drawing.hpp"

namespace vnode {

/// UsageError as of draw().
Drawing drawing_of(const HeatMapPicture& picture);
std::string text_of(const HeatMapPicture& picture);

}  // namespace vnode
