#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// The scatters, of one block per rank. Gathers are the same backwards.
Schedule scatter_linear(const Parameters& parameters);
Schedule scatter_hypercube(const Parameters& parameters);
Schedule scatter_binomial(const Parameters& parameters);
Schedule scatter_mesh(const Parameters& parameters);
Schedule scatter_k_nomial(const Parameters& parameters);
Schedule scatter_direct(const Parameters& parameters);
Schedule scatter_recursive_splitting(const Parameters& parameters);

// Their rows of the register.
namespace registered {
extern const Algorithm scatter_linear, scatter_hypercube, scatter_binomial, scatter_mesh, scatter_k_nomial,
    scatter_direct, scatter_recursive_splitting;
}

}  // namespace vnode
