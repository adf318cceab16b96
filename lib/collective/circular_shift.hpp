#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// The circular shift that others are made of. Block r is the one that rank r brings.
Schedule circular_shift_mesh(const Parameters& parameters);

}  // namespace vnode
