#include <vnode/collective.hpp>

#include "collective/all_gather.hpp"
#include "collective/all_reduce.hpp"
#include "collective/all_to_all.hpp"
#include "collective/broadcast.hpp"
#include "collective/circulant.hpp"
#include "collective/esbt.hpp"
#include "collective/gather.hpp"
#include "collective/reduce_scatter.hpp"
#include "collective/rotated.hpp"
#include "collective/scan.hpp"
#include "collective/scatter.hpp"

namespace vnode {

namespace registered {
extern const Algorithm reduce_linear, reduce_doubling, reduce_binomial, reduce_mesh, reduce_hypercube,
    reduce_tree, reduce_low_bit_first, reduce_direct, barrier_dissemination, barrier_tree, barrier_linear,
    barrier_central;
extern const Algorithm reduce_k_nomial;
extern const Algorithm reduce_esbt, reduce_esbt_all_port, reduce_circulant, reduce_scatter_circulant;
extern const Algorithm exclusive_scan_hypercube, exclusive_scan_hillis_steele, exclusive_scan_linear,
    exclusive_scan_direct, exclusive_scan_one_shot_direct;
extern const Algorithm reduce_rotated, reduce_scatter_rotated, all_reduce_rotated, gather_rotated,
    all_to_all_rotated;
extern const Algorithm broadcast_splitting_ring, broadcast_splitting_mesh, broadcast_splitting_hypercube,
    reduce_splitting_ring, reduce_splitting_mesh, reduce_splitting_hypercube;
extern const Algorithm all_to_all_ring, all_to_all_e_cube, all_to_all_pairwise, all_to_all_bruck,
    all_to_all_direct;
extern const Algorithm circular_shift_ring, circular_shift_mesh, circular_shift_hypercube,
    circular_shift_gray, circular_shift_direct;
extern const Algorithm reduce_mst, reduce_recursive_splitting, reduce_fences, reduce_pipeline,
    reduce_binary_tree, reduce_fibonacci, reduce_two_tree, reduce_two_tree_shifted;
extern const Algorithm scan_two_tree, exclusive_scan_two_tree;
extern const Algorithm broadcast_hierarchical, reduce_hierarchical, all_gather_hierarchical,
    reduce_scatter_hierarchical, all_reduce_hierarchical, scatter_hierarchical, gather_hierarchical,
    barrier_hierarchical;
}

// To add an algorithm, write its file and name its row here.
std::span<const Algorithm> algorithms() {
  static const Algorithm table[] = {
      registered::broadcast_linear,
      registered::broadcast_doubling,
      registered::broadcast_binomial,
      registered::broadcast_mesh,
      registered::broadcast_hypercube,
      registered::broadcast_tree,
      registered::broadcast_low_bit_first,
      registered::broadcast_direct,
      registered::broadcast_k_nomial,
      registered::broadcast_splitting_ring,
      registered::broadcast_splitting_mesh,
      registered::broadcast_splitting_hypercube,
      registered::broadcast_rotated,
      registered::broadcast_mst,
      registered::broadcast_recursive_splitting,
      registered::broadcast_fences,
      registered::broadcast_pipeline,
      registered::broadcast_binary_tree,
      registered::broadcast_fibonacci,
      registered::broadcast_two_tree,
      registered::broadcast_two_tree_shifted,
      registered::broadcast_esbt,
      registered::broadcast_esbt_all_port,
      registered::broadcast_circulant,
      registered::broadcast_hierarchical,
      registered::reduce_linear,
      registered::reduce_doubling,
      registered::reduce_binomial,
      registered::reduce_mesh,
      registered::reduce_hypercube,
      registered::reduce_tree,
      registered::reduce_low_bit_first,
      registered::reduce_direct,
      registered::reduce_k_nomial,
      registered::reduce_splitting_ring,
      registered::reduce_splitting_mesh,
      registered::reduce_splitting_hypercube,
      registered::reduce_rotated,
      registered::reduce_mst,
      registered::reduce_recursive_splitting,
      registered::reduce_fences,
      registered::reduce_pipeline,
      registered::reduce_binary_tree,
      registered::reduce_fibonacci,
      registered::reduce_two_tree,
      registered::reduce_two_tree_shifted,
      registered::reduce_esbt,
      registered::reduce_esbt_all_port,
      registered::reduce_circulant,
      registered::reduce_hierarchical,
      registered::all_gather_ring,
      registered::all_gather_mesh,
      registered::all_gather_hypercube,
      registered::all_gather_bruck,
      registered::all_gather_neighbour_exchange,
      registered::all_gather_direct,
      registered::all_gather_rotated,
      registered::all_gather_circulant,
      registered::all_gather_hierarchical,
      registered::reduce_scatter_ring,
      registered::reduce_scatter_mesh,
      registered::reduce_scatter_hypercube,
      registered::reduce_scatter_bruck,
      registered::reduce_scatter_neighbour_exchange,
      registered::reduce_scatter_direct,
      registered::reduce_scatter_pairwise,
      registered::reduce_scatter_halving,
      registered::reduce_scatter_rotated,
      registered::reduce_scatter_circulant,
      registered::reduce_scatter_hierarchical,
      registered::all_reduce_doubling,
      registered::all_reduce_binomial,
      registered::all_reduce_ring,
      registered::all_reduce_mesh,
      registered::all_reduce_rabenseifner,
      registered::all_reduce_pairwise,
      registered::all_reduce_two_tree,
      registered::all_reduce_double_binary_tree,
      registered::all_reduce_one_shot_direct,
      registered::all_reduce_two_shot_direct,
      registered::all_reduce_rotated,
      registered::all_reduce_hierarchical,
      registered::scan_hypercube,
      registered::scan_hillis_steele,
      registered::scan_linear,
      registered::scan_two_tree,
      registered::scan_direct,
      registered::scan_one_shot_direct,
      registered::exclusive_scan_hypercube,
      registered::exclusive_scan_hillis_steele,
      registered::exclusive_scan_linear,
      registered::exclusive_scan_two_tree,
      registered::exclusive_scan_direct,
      registered::exclusive_scan_one_shot_direct,
      registered::scatter_linear,
      registered::scatter_hypercube,
      registered::scatter_binomial,
      registered::scatter_mesh,
      registered::scatter_k_nomial,
      registered::scatter_direct,
      registered::scatter_rotated,
      registered::scatter_recursive_splitting,
      registered::scatter_hierarchical,
      registered::gather_linear,
      registered::gather_hypercube,
      registered::gather_binomial,
      registered::gather_mesh,
      registered::gather_k_nomial,
      registered::gather_direct,
      registered::gather_rotated,
      registered::gather_recursive_splitting,
      registered::gather_hierarchical,
      registered::all_to_all_ring,
      registered::all_to_all_mesh,
      registered::all_to_all_hypercube,
      registered::all_to_all_e_cube,
      registered::all_to_all_pairwise,
      registered::all_to_all_bruck,
      registered::all_to_all_direct,
      registered::all_to_all_rotated,
      registered::circular_shift_ring,
      registered::circular_shift_mesh,
      registered::circular_shift_hypercube,
      registered::circular_shift_gray,
      registered::circular_shift_direct,
      registered::barrier_dissemination,
      registered::barrier_tree,
      registered::barrier_linear,
      registered::barrier_central,
      registered::barrier_hierarchical,
  };
  return table;
}

}  // namespace vnode
