#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

#include <vnode/model/algorithms.hpp>

#include "collective/families.hpp"

namespace vnode {

namespace {

using namespace registered;

// To add an algorithm, write its row in its family's file, and name it here where it shall stand: in this
// order rows are listed, and the first of equals is chosen.
constexpr std::reference_wrapper<const Algorithm> rows[] = {
    broadcast_linear,
    broadcast_doubling,
    broadcast_binomial,
    broadcast_mesh,
    broadcast_hypercube,
    broadcast_tree,
    broadcast_low_bit_first,
    broadcast_direct,
    broadcast_k_nomial,
    broadcast_splitting_ring,
    broadcast_splitting_mesh,
    broadcast_splitting_hypercube,
    broadcast_rotated,
    broadcast_mst,
    broadcast_recursive_splitting,
    broadcast_fences,
    broadcast_pipeline,
    broadcast_binary_tree,
    broadcast_fibonacci,
    broadcast_two_tree,
    broadcast_two_tree_shifted,
    broadcast_esbt,
    broadcast_esbt_all_port,
    broadcast_circulant,
    broadcast_hierarchical,
    reduce_linear,
    reduce_doubling,
    reduce_binomial,
    reduce_mesh,
    reduce_hypercube,
    reduce_tree,
    reduce_low_bit_first,
    reduce_direct,
    reduce_k_nomial,
    reduce_splitting_ring,
    reduce_splitting_mesh,
    reduce_splitting_hypercube,
    reduce_rotated,
    reduce_mst,
    reduce_recursive_splitting,
    reduce_fences,
    reduce_pipeline,
    reduce_binary_tree,
    reduce_fibonacci,
    reduce_two_tree,
    reduce_two_tree_shifted,
    reduce_esbt,
    reduce_esbt_all_port,
    reduce_circulant,
    reduce_hierarchical,
    all_gather_ring,
    all_gather_mesh,
    all_gather_hypercube,
    all_gather_bruck,
    all_gather_neighbour_exchange,
    all_gather_direct,
    all_gather_rotated,
    all_gather_circulant,
    all_gather_hierarchical,
    reduce_scatter_ring,
    reduce_scatter_mesh,
    reduce_scatter_hypercube,
    reduce_scatter_bruck,
    reduce_scatter_neighbour_exchange,
    reduce_scatter_direct,
    reduce_scatter_pairwise,
    reduce_scatter_halving,
    reduce_scatter_rotated,
    reduce_scatter_circulant,
    reduce_scatter_hierarchical,
    all_reduce_doubling,
    all_reduce_binomial,
    all_reduce_ring,
    all_reduce_mesh,
    all_reduce_rabenseifner,
    all_reduce_pairwise,
    all_reduce_two_tree,
    all_reduce_double_binary_tree,
    all_reduce_one_shot_direct,
    all_reduce_two_shot_direct,
    all_reduce_central,
    all_reduce_rotated,
    all_reduce_hierarchical,
    scan_hypercube,
    scan_hillis_steele,
    scan_linear,
    scan_two_tree,
    scan_direct,
    scan_one_shot_direct,
    exclusive_scan_hypercube,
    exclusive_scan_hillis_steele,
    exclusive_scan_linear,
    exclusive_scan_two_tree,
    exclusive_scan_direct,
    exclusive_scan_one_shot_direct,
    scatter_linear,
    scatter_hypercube,
    scatter_binomial,
    scatter_mesh,
    scatter_k_nomial,
    scatter_direct,
    scatter_rotated,
    scatter_recursive_splitting,
    scatter_hierarchical,
    gather_linear,
    gather_hypercube,
    gather_binomial,
    gather_mesh,
    gather_k_nomial,
    gather_direct,
    gather_rotated,
    gather_recursive_splitting,
    gather_hierarchical,
    all_to_all_ring,
    all_to_all_mesh,
    all_to_all_hypercube,
    all_to_all_e_cube,
    all_to_all_pairwise,
    all_to_all_bruck,
    all_to_all_direct,
    all_to_all_rotated,
    circular_shift_ring,
    circular_shift_mesh,
    circular_shift_hypercube,
    circular_shift_gray,
    circular_shift_direct,
    barrier_dissemination,
    barrier_tree,
    barrier_linear,
    barrier_central,
    barrier_direct,
    barrier_hierarchical,
};

}  // namespace

std::span<const Algorithm> algorithms() {
  static const auto table = [] {
    std::array<Algorithm, std::size(rows)> values{};
    std::ranges::copy(rows, values.begin());
    return values;
  }();
  return table;
}

}  // namespace vnode
