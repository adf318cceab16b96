#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// The reduce_scatters that other algorithms are made of: message splitting and all_reduces begin with them.
// Rank r gets block r.
Schedule reduce_scatter_ring(const Parameters& parameters);
Schedule reduce_scatter_mesh(const Parameters& parameters);
Schedule reduce_scatter_hypercube(const Parameters& parameters);
Schedule reduce_scatter_bruck(const Parameters& parameters);
Schedule reduce_scatter_neighbour_exchange(const Parameters& parameters);
Schedule reduce_scatter_direct(const Parameters& parameters);
Schedule reduce_scatter_pairwise(const Parameters& parameters);
Schedule reduce_scatter_halving(const Parameters& parameters);

// Their rows of the register.
namespace registered {
extern const Algorithm reduce_scatter_ring, reduce_scatter_mesh, reduce_scatter_hypercube,
    reduce_scatter_bruck, reduce_scatter_neighbour_exchange, reduce_scatter_direct, reduce_scatter_pairwise,
    reduce_scatter_halving;
}

}  // namespace vnode
