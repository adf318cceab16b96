#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// The circular shift that others are made of. Block r is rank r's packet.
Schedule circular_shift_mesh(const Parameters& parameters);

}  // namespace vnode
