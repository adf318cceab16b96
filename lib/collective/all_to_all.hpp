#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// The all_to_alls that others are made of. Block s * p + d goes from s to d, and keeps its number on its way.
Schedule all_to_all_mesh(const Parameters& parameters);
Schedule all_to_all_hypercube(const Parameters& parameters);

// Their rows of the register.
namespace registered {
extern const Algorithm all_to_all_mesh, all_to_all_hypercube;
}

}  // namespace vnode
