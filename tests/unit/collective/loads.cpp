// ALGORITHMS section 8: the rows of the algorithms there are, and the loads of 1.2.
#include <array>
#include <bit>
#include <doctest/doctest.h>
#include <optional>

#include <vnode/collective.hpp>
#include <vnode/verify.hpp>

using namespace vnode;

namespace {

struct Row {
  const char* algorithm;
  int nodes;
  double steps, words;
  std::array<int, 4> loads;      // line, ring, mesh, cube; 0: no such topology
  std::array<double, 4> scaled;  // t_w scaled by load
};

// 6 = 2x3, 8 = 2x4, 16 = 4x4.
std::vector<int> extents(int nodes) {
  if (nodes == 6) return {2, 3};
  if (nodes == 8) return {2, 4};
  return {4, 4};
}

std::vector<std::optional<Topology>> interconnects(int nodes) {
  std::vector<std::optional<Topology>> list{Topology(array{}, nodes), Topology(ring{}, nodes),
                                            Topology(Shape(Family::mesh, extents(nodes)), nodes),
                                            std::nullopt};
  if (std::has_single_bit(unsigned(nodes))) list[3] = Topology(hypercube{}, nodes);
  return list;
}

constexpr Row rows[] = {
    {"broadcast_linear", 6, 5, 5, {1, 1, 1, 0}, {5, 5, 5, 0}},
    {"broadcast_binomial", 6, 3, 3, {1, 1, 1, 0}, {3, 3, 3, 0}},
    {"broadcast_mesh", 6, 3, 3, {3, 3, 1, 0}, {5, 5, 3, 0}},
    {"broadcast_linear", 8, 7, 7, {1, 1, 1, 1}, {7, 7, 7, 7}},
    {"broadcast_doubling", 8, 3, 3, {1, 1, 1, 1}, {3, 3, 3, 3}},
    {"broadcast_low_bit_first", 8, 3, 3, {4, 4, 2, 1}, {7, 7, 4, 3}},
    {"broadcast_binomial", 8, 3, 3, {1, 1, 1, 1}, {3, 3, 3, 3}},
    {"broadcast_mesh", 8, 3, 3, {4, 4, 1, 1}, {6, 6, 3, 3}},
    {"broadcast_linear", 16, 15, 15, {1, 1, 1, 1}, {15, 15, 15, 15}},
    {"broadcast_doubling", 16, 4, 4, {1, 1, 1, 1}, {4, 4, 4, 4}},
    {"broadcast_low_bit_first", 16, 4, 4, {8, 8, 2, 1}, {15, 15, 6, 4}},
    {"broadcast_binomial", 16, 4, 4, {1, 1, 1, 1}, {4, 4, 4, 4}},
    {"broadcast_mesh", 16, 4, 4, {4, 4, 1, 1}, {10, 10, 4, 4}},
};

}  // namespace

TEST_CASE("section 8: steps, words, loads and scaled words") {
  for (const Row& row : rows) {
    CAPTURE(row.algorithm);
    CAPTURE(row.nodes);
    const Schedule schedule =
        algorithm(row.algorithm).build({.nodes = row.nodes, .extents = extents(row.nodes)});
    const Cost cost = step_synchronous_cost(schedule, 1);
    CHECK(cost.startups == row.steps);
    CHECK(cost.words == row.words);
    const auto topologies = interconnects(row.nodes);
    for (std::size_t i = 0; i < topologies.size(); ++i) {
      if (!topologies[i]) continue;
      CAPTURE(topologies[i]->text());
      const std::vector<RoundLoad> loads =
          link_loads(schedule, *topologies[i], topologies[i]->default_routing());
      CHECK(greatest_load(loads) == row.loads[i]);
      CHECK(scaled_words(loads, 1) == row.scaled[i]);
    }
  }
}

TEST_CASE(
    "1.2 and 1.7: low bit first has loads 1, 2, 4 on a line and on a tree of eight, and on all sizes 2^i") {
  for (const int nodes : {8, 16, 32})
    for (const Topology& topology : {Topology(array{}, nodes), Topology(tree{}, nodes)}) {
      const Schedule schedule = algorithm("broadcast_low_bit_first").build({.nodes = nodes});
      const std::vector<RoundLoad> loads = link_loads(schedule, topology, topology.default_routing());
      for (std::size_t i = 0; i < loads.size(); ++i) CHECK(loads[i].messages == 1 << i);
      CHECK(scaled_words(loads, 1) == nodes - 1);
    }
}

TEST_CASE("8.0: low bit first on a mesh is scaled to r + c - 2") {
  for (const auto& [r, c] : {std::pair{2, 4}, {4, 4}, {4, 8}, {8, 8}}) {
    const Schedule schedule = algorithm("broadcast_low_bit_first").build({.nodes = r * c});
    CHECK(scaled_words(link_loads(schedule, Topology(mesh{r, c}, r * c), Routing::xy), 1) == r + c - 2);
  }
}
