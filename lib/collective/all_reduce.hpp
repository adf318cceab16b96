#pragma once

#include <vnode/collective.hpp>

namespace vnode {

Schedule all_reduce_doubling(const Parameters& parameters);
Schedule all_reduce_binomial(const Parameters& parameters);
Schedule all_reduce_ring(const Parameters& parameters);
Schedule all_reduce_mesh(const Parameters& parameters);
Schedule all_reduce_rabenseifner(const Parameters& parameters);
Schedule all_reduce_pairwise(const Parameters& parameters);
Schedule all_reduce_two_tree(const Parameters& parameters);
Schedule all_reduce_double_binary_tree(const Parameters& parameters);
Schedule all_reduce_one_shot_direct(const Parameters& parameters);
Schedule all_reduce_two_shot_direct(const Parameters& parameters);

// Their rows of the register.
namespace registered {
extern const Algorithm all_reduce_doubling, all_reduce_binomial, all_reduce_ring, all_reduce_mesh,
    all_reduce_rabenseifner, all_reduce_pairwise, all_reduce_two_tree, all_reduce_double_binary_tree,
    all_reduce_one_shot_direct, all_reduce_two_shot_direct;
}

}  // namespace vnode
