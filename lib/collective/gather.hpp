#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// The gathers, of one block per rank.
Schedule gather_linear(const Parameters& parameters);
Schedule gather_hypercube(const Parameters& parameters);
Schedule gather_binomial(const Parameters& parameters);
Schedule gather_mesh(const Parameters& parameters);
Schedule gather_k_nomial(const Parameters& parameters);
Schedule gather_direct(const Parameters& parameters);
Schedule gather_recursive_splitting(const Parameters& parameters);

// Their rows of the register.
namespace registered {
extern const Algorithm gather_linear, gather_hypercube, gather_binomial, gather_mesh, gather_k_nomial,
    gather_direct, gather_recursive_splitting;
}

}  // namespace vnode
