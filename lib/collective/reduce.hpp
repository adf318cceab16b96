#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// The reductions that other algorithms are made of.
Schedule reduce_binomial(const Parameters& parameters);

// Their rows of the register.
namespace registered {
extern const Algorithm reduce_binomial;
}

}  // namespace vnode
