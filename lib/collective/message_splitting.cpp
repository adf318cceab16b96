// A message of p parts: a scatter and an all_gather make a broadcast, a reduce_scatter and a gather a
// reduction (Grama 4.7.1). A broadcast sends nobody what it has: of what a node has passed on, in the
// scatter, it hears nothing in the all_gather.
#include <bit>

#include "building_blocks/composition.hpp"
#include "building_blocks/repeats.hpp"
#include "collective/families.hpp"

namespace vnode {

namespace message_splitting {

template <const Algorithm& scatter, const Algorithm& all_gather>
constexpr Algorithm broadcast_row(const RowOverrides& own) {
  const RowOverrides news{.build = [](const Parameters& parameters) {
    return split_broadcast(scatter.build(parameters), all_gather.build(parameters), parameters.root);
  }};
  return derived(derived(splitting_row<scatter, all_gather>({}), news), own);
}

// Returns the ones in the binary numbers 0 to n - 1: also what the nodes of a binomial tree of n have passed
// on, all together, when each has got and sent what belongs to its subtree.
int ones_below(int n) {
  int ones = 0;
  for (int i = 0; i < n; ++i) ones += std::popcount(static_cast<unsigned>(i));
  return ones;
}

constexpr Symbol ring_symbols[] = {
    {"b", "the ones in the binary numbers 0 to p - 1",
     [](const Parameters& parameters) -> double { return ones_below(parameters.nodes); }}};

// In the slowest dimension the scatter has one line, in the next as many as that has nodes, and so on.
int passed_on(const Parameters& parameters) {
  int lines = 1, sum = 0;
  for (const int extent : parameters.extents) {
    sum += lines * ones_below(extent);
    lines *= extent;
  }
  return sum;
}

constexpr Symbol mesh_symbols[] = {
    {"b", "what the lines of the scatter have passed on",
     [](const Parameters& parameters) -> double { return passed_on(parameters); }}};

}  // namespace message_splitting

namespace registered {

constexpr Algorithm broadcast_splitting_ring =
    message_splitting::broadcast_row<scatter_binomial, all_gather_ring>({
        .name = "broadcast_splitting_ring",
        .rounds = "ceil(log2 p) + p - 1",
        .transfers = {"p^2 - 1 - b",
                      [](const Parameters& parameters) {
                        return parameters.nodes * parameters.nodes - 1 -
                               message_splitting::ones_below(parameters.nodes);
                      }},
        .time = "t_s (ceil(log2 p) + p - 1) + 2 t_w m (p - 1) / p",
        .symbols = message_splitting::ring_symbols,
        .carriers = every_family_but_torus,
        .best_for = "long messages, any number of nodes",
        .source = "Grama et al. 4.7.1; Barnett et al., scatter-collect",
    });
constexpr Algorithm reduce_splitting_ring = splitting_row<reduce_scatter_ring, gather_binomial>({
    .name = "reduce_splitting_ring",
    .rounds = "ceil(log2 p) + p - 1",
    .transfers = "p^2 - 1",
    .time = "t_s (ceil(log2 p) + p - 1) + (2 t_w + t_op) m (p - 1) / p",
    .keeps_order = KeepsOrder::never,
    .carriers = every_family_but_torus,
    .best_for = "long messages, any number of nodes",
    .source = "Grama et al. 4.7.1",
});

constexpr Algorithm broadcast_splitting_mesh =
    message_splitting::broadcast_row<scatter_mesh, all_gather_mesh>({
        .name = "broadcast_splitting_mesh",
        .rounds = "sum(ceil(log2 extent) + extent - 1)",
        .transfers = {"p - 1 + p sum(extent - 1) - b",
                      [](const Parameters& parameters) {
                        return scatter_mesh.transfers.value(parameters) +
                               all_gather_mesh.transfers.value(parameters) -
                               message_splitting::passed_on(parameters);
                      }},
        .time = "t_s sum(ceil(log2 extent) + extent - 1) + 2 t_w m (p - 1) / p",
        .symbols = message_splitting::mesh_symbols,
        .needs = mesh_extents,
        .carriers = mesh_families,
        .best_for = "long messages on meshes and tori",
        .source = "Grama et al. 4.7.1; Barnett et al., two-dimensional scatter-collect",
    });
constexpr Algorithm reduce_splitting_mesh = splitting_row<reduce_scatter_mesh, gather_mesh>({
    .name = "reduce_splitting_mesh",
    .rounds = "sum(ceil(log2 extent) + extent - 1)",
    .transfers = "p - 1 + p sum(extent - 1)",
    .time = "t_s sum(ceil(log2 extent) + extent - 1) + (2 t_w + t_op) m (p - 1) / p",
    .needs = mesh_extents,
    .keeps_order = KeepsOrder::never,
    .carriers = mesh_families,
    .best_for = "long messages on meshes and tori",
    .source = "Grama et al. 4.7.1",
});

// Its messages are the all_gather's, lowest dimension first, without the scatter's backwards, and the
// scatter's.
constexpr Algorithm broadcast_splitting_hypercube =
    message_splitting::broadcast_row<scatter_hypercube, all_gather_hypercube>({
        .name = "broadcast_splitting_hypercube",
        .rounds = "2 log2 p",
        .transfers = everybody_in_each<one_per_dimension>,
        .time = "2 t_s log2 p + 2 t_w m (p - 1) / p",
        .needs = power_of_two,
        .carriers = hypercube_family,
        .best_for = "long messages on hypercubes",
        .source = "Grama et al. 4.7.1",
    });
constexpr Algorithm reduce_splitting_hypercube = splitting_row<reduce_scatter_hypercube, gather_hypercube>({
    .name = "reduce_splitting_hypercube",
    .rounds = "2 log2 p",
    .transfers = "p - 1 + p log2 p",
    .time = "2 t_s log2 p + (2 t_w + t_op) m (p - 1) / p",
    .needs = power_of_two,
    .carriers = hypercube_family,
    .best_for = "long messages on hypercubes",
    .source = "Grama et al. 4.7.1",
});

}  // namespace registered
}  // namespace vnode
