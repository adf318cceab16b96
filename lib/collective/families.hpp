#pragma once

#include <vnode/model/algorithms.hpp>

/// These are the rows of the registry, by family: each is defined in the file of its family's name.
namespace vnode::registered {

// linear.cpp
extern const Algorithm broadcast_linear, reduce_linear, scatter_linear, gather_linear, barrier_linear;
// binomial.cpp
extern const Algorithm broadcast_binomial, reduce_binomial, scatter_binomial, gather_binomial,
    all_reduce_binomial, barrier_tree;
// k_nomial.cpp
extern const Algorithm broadcast_k_nomial, reduce_k_nomial, scatter_k_nomial, gather_k_nomial;
// direct.cpp
extern const Algorithm broadcast_direct, reduce_direct, scatter_direct, gather_direct, all_gather_direct,
    reduce_scatter_direct, all_reduce_one_shot_direct, all_reduce_two_shot_direct, all_reduce_central,
    all_to_all_direct, reduce_splitting_direct, barrier_central, barrier_direct;
// doubling.cpp
extern const Algorithm broadcast_doubling, reduce_doubling, broadcast_tree, reduce_tree, broadcast_hypercube,
    reduce_hypercube, broadcast_low_bit_first, reduce_low_bit_first, scatter_hypercube, gather_hypercube;
// hypercube.cpp
extern const Algorithm all_gather_hypercube, reduce_scatter_hypercube, all_to_all_e_cube;
// folded.cpp
extern const Algorithm all_reduce_doubling, all_reduce_rabenseifner, reduce_scatter_halving;
// halves.cpp
extern const Algorithm broadcast_mst, reduce_mst, broadcast_recursive_splitting, reduce_recursive_splitting,
    scatter_recursive_splitting, gather_recursive_splitting;
// mesh.cpp
extern const Algorithm broadcast_mesh, reduce_mesh, scatter_mesh, gather_mesh, all_gather_mesh,
    reduce_scatter_mesh, all_reduce_mesh, all_to_all_mesh, all_to_all_ring, all_to_all_hypercube;
// ring.cpp
extern const Algorithm all_gather_ring, reduce_scatter_ring, all_reduce_ring, all_gather_neighbour_exchange,
    reduce_scatter_neighbour_exchange;
// pairwise.cpp
extern const Algorithm reduce_scatter_pairwise, all_reduce_pairwise, all_to_all_pairwise;
// bruck.cpp
extern const Algorithm all_gather_bruck, reduce_scatter_bruck, all_to_all_bruck, barrier_dissemination;
// rotated.cpp
extern const Algorithm broadcast_rotated, reduce_rotated, all_gather_rotated, reduce_scatter_rotated,
    all_reduce_rotated, scatter_rotated, gather_rotated, all_to_all_rotated;
// message_splitting.cpp
extern const Algorithm broadcast_splitting_ring, broadcast_splitting_mesh, broadcast_splitting_hypercube,
    reduce_splitting_ring, reduce_splitting_mesh, reduce_splitting_hypercube;
// pipeline.cpp
extern const Algorithm broadcast_pipeline, reduce_pipeline, scan_linear, exclusive_scan_linear;
// binary_tree.cpp
extern const Algorithm broadcast_binary_tree, reduce_binary_tree, broadcast_fibonacci, reduce_fibonacci;
// two_tree.cpp
extern const Algorithm broadcast_two_tree, reduce_two_tree, broadcast_two_tree_shifted,
    reduce_two_tree_shifted, all_reduce_two_tree, all_reduce_double_binary_tree;
// two_tree_scan.cpp
extern const Algorithm scan_two_tree, exclusive_scan_two_tree;
// esbt.cpp
extern const Algorithm broadcast_esbt, reduce_esbt, broadcast_esbt_all_port, reduce_esbt_all_port;
// circulant.cpp
extern const Algorithm broadcast_circulant, reduce_circulant, all_gather_circulant, reduce_scatter_circulant;
// fences.cpp
extern const Algorithm broadcast_fences, reduce_fences;
// doubling_scan.cpp
extern const Algorithm scan_hypercube, exclusive_scan_hypercube, scan_hillis_steele,
    exclusive_scan_hillis_steele;
// direct_scan.cpp
extern const Algorithm scan_direct, exclusive_scan_direct, scan_one_shot_direct,
    exclusive_scan_one_shot_direct, scan_splitting_direct;
// shift.cpp
extern const Algorithm circular_shift_ring, circular_shift_direct, circular_shift_gray;
// mesh_shift.cpp
extern const Algorithm circular_shift_mesh, circular_shift_hypercube;
// hierarchical.cpp
extern const Algorithm broadcast_hierarchical, reduce_hierarchical, scatter_hierarchical, gather_hierarchical,
    barrier_hierarchical;
// hierarchical_exchange.cpp
extern const Algorithm all_gather_hierarchical, reduce_scatter_hierarchical, all_reduce_hierarchical;

}  // namespace vnode::registered
