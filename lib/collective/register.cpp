#include <vnode/collective.hpp>

#include "collective/broadcast.hpp"

namespace vnode {

namespace registered {
extern const Algorithm reduce_linear, reduce_doubling, reduce_binomial, reduce_mesh, reduce_hypercube,
    reduce_tree, reduce_low_bit_first, reduce_direct, barrier_dissemination, barrier_tree, barrier_linear,
    barrier_central;
}

// To add an algorithm, write its file and name its row here.
std::span<const Algorithm> algorithms() {
  static const Algorithm table[] = {
      registered::broadcast_linear,        registered::broadcast_doubling,
      registered::broadcast_binomial,      registered::broadcast_mesh,
      registered::broadcast_hypercube,     registered::broadcast_tree,
      registered::broadcast_low_bit_first, registered::broadcast_direct,
      registered::reduce_linear,           registered::reduce_doubling,
      registered::reduce_binomial,         registered::reduce_mesh,
      registered::reduce_hypercube,        registered::reduce_tree,
      registered::reduce_low_bit_first,    registered::reduce_direct,
      registered::barrier_dissemination,   registered::barrier_tree,
      registered::barrier_linear,          registered::barrier_central,
  };
  return table;
}

}  // namespace vnode
