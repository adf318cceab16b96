#pragma once

#include <vnode/collective.hpp>

namespace vnode {

// The all_gathers that other algorithms are made of: reduce_scatters are their duals, message splitting and
// all_reduces end with them. Block r is rank r's.
Schedule all_gather_ring(const Parameters& parameters);
Schedule all_gather_mesh(const Parameters& parameters);
Schedule all_gather_hypercube(const Parameters& parameters);
Schedule all_gather_bruck(const Parameters& parameters);
Schedule all_gather_neighbour_exchange(const Parameters& parameters);
Schedule all_gather_direct(const Parameters& parameters);

// Their rows of the register.
namespace registered {
extern const Algorithm all_gather_ring, all_gather_mesh, all_gather_hypercube, all_gather_bruck,
    all_gather_neighbour_exchange, all_gather_direct;
}

}  // namespace vnode
