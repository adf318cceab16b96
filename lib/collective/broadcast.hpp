#pragma once

#include <span>

#include <vnode/collective.hpp>

namespace vnode {

// The broadcasts that other algorithms are made of: reductions are their duals, barriers an arrival and a
// release.
Schedule broadcast_linear(const Parameters& parameters);
Schedule broadcast_doubling(const Parameters& parameters);
Schedule broadcast_binomial(const Parameters& parameters);
Schedule broadcast_hypercube(const Parameters& parameters);
Schedule broadcast_k_nomial(const Parameters& parameters);
Schedule broadcast_direct(const Parameters& parameters);
Schedule broadcast_recursive_splitting(const Parameters& parameters);

// Their rows of the register.
namespace registered {
extern const Algorithm broadcast_linear, broadcast_doubling, broadcast_binomial, broadcast_mesh,
    broadcast_hypercube, broadcast_tree, broadcast_low_bit_first, broadcast_k_nomial, broadcast_direct,
    broadcast_mst, broadcast_recursive_splitting, broadcast_fences, broadcast_pipeline, broadcast_binary_tree,
    broadcast_fibonacci, broadcast_two_tree, broadcast_two_tree_shifted;
}

}  // namespace vnode
