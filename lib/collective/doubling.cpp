// Recursive doubling of 2^d nodes: one dimension of the labels a round, labels relative to the root by XOR.
#include "building_blocks/composition.hpp"
#include "building_blocks/dimensions.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace doubling {

using Order = std::vector<int> (*)(const Parameters&);

// Distances halve: the messages of a round stay inside disjoint aligned groups of twice their distance, and
// no two share a link of an array. On a tree with the nodes at its leaves the highest dimension says which
// side of the topmost switch a leaf is on.
std::vector<int> halving(const Parameters& parameters) { return highest_first(parameters.nodes); }

// The counter-example: distances double, and messages pile up on links.
std::vector<int> growing(const Parameters& parameters) { return lowest_first(parameters.nodes); }

// Any order; every message is one hop of a hypercube. Rank order is kept if the lowest dimension is combined
// first, as it is without an order given.
std::vector<int> told(const Parameters& parameters) {
  return parameters.dimension_order.empty() ? halving(parameters) : parameters.dimension_order;
}

template <Order order>
constexpr Algorithm broadcast_row(const RowOverrides& own) {
  const RowOverrides along{
      .build =
          [](const Parameters& parameters) {
            return along_dimensions(parameters.nodes, parameters.root, order(parameters));
          },
      .transfers = one_per_other_node,
      .peers = [](const Parameters& parameters, int round, Rank from,
                  Rank to) { return across_dimension(order(parameters), round, from, to); },
      .needs = power_of_two,
  };
  return derived(message_row<one_per_dimension>(along), own);
}

constexpr Carrier tree_carriers[] = {{"tree", ""}, {"full", ""}};

}  // namespace doubling

namespace registered {

constexpr Algorithm broadcast_doubling = doubling::broadcast_row<doubling::halving>({
    .name = "broadcast_doubling",
    .carriers = every_family,
    .best_for = "short messages on arrays, rings, meshes and trees of 2^d nodes",
    .source = "Grama et al. 4.1.1, algorithms 4.1 and 4.2",
});
// Partial results are aligned groups of ranks: rank order is kept for every root.
constexpr Algorithm reduce_doubling = reduction_row<broadcast_doubling>({
    .name = "reduce_doubling",
    .source = "Grama et al. 4.1.1, algorithm 4.3; any root by XOR",
});
// A subcube of the lower dimensions is an interval of ranks for every root.
constexpr Algorithm scatter_hypercube = scatter_row<broadcast_doubling>({
    .name = "scatter_hypercube",
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.4",
});
constexpr Algorithm gather_hypercube = reversed_row<scatter_hypercube>({.name = "gather_hypercube"});

constexpr Algorithm broadcast_tree = doubling::broadcast_row<doubling::halving>({
    .name = "broadcast_tree",
    .carriers = doubling::tree_carriers,
    .best_for = "short messages on balanced binary trees",
    .source = "Grama et al. 4.1.4",
});
constexpr Algorithm reduce_tree = reduction_row<broadcast_tree>({
    .name = "reduce_tree",
    .source = "Grama et al. 4.1.4, dual of broadcast_tree",
});

constexpr Algorithm broadcast_hypercube = doubling::broadcast_row<doubling::told>({
    .name = "broadcast_hypercube",
    .dimension_order = true,
    .carriers = hypercube_family,
    .best_for = "short messages on hypercubes",
    .source = "Grama et al. 4.1.3, algorithms 4.1 and 4.2",
});
constexpr Algorithm reduce_hypercube = reduction_row<broadcast_hypercube>({
    .name = "reduce_hypercube",
    .source = "Grama et al. 4.1.3, algorithm 4.3",
});

// The time is that of a cube; on an array, where messages meet, t_w m log2 p becomes t_w m (p - 1).
constexpr Algorithm broadcast_low_bit_first = doubling::broadcast_row<doubling::growing>({
    .name = "broadcast_low_bit_first",
    .carriers = hypercube_family,
    .best_for = "showing congestion: round i has load 2^i on an array or tree",
    .source = "Grama et al. 4.1.1; Barnett et al. 1996, the hypercube-like algorithm",
});
constexpr Algorithm reduce_low_bit_first = reduction_row<broadcast_low_bit_first>({
    .name = "reduce_low_bit_first",
    .keeps_order = KeepsOrder::never,
    .best_for = "showing congestion: the first round has load p/2 on an array or tree",
});

}  // namespace registered
}  // namespace vnode
