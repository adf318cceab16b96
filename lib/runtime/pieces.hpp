#pragma once

#include <cstdint>
#include <vector>

#include "runtime/plan.hpp"

namespace vnode {

/// Adds a part to those of a movement, which begin at `first`; joins it to the last if it goes on where that
/// ends. A part without bytes is none.
void append(std::vector<Piece>& parts, std::uint32_t first, const Piece& part);

}  // namespace vnode
