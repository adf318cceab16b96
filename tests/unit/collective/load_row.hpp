#pragma once

#include <array>
#include <bit>
#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/link_loads.hpp>
#include <vnode/model/algorithms.hpp>

#include "built.hpp"

namespace vnode {

// A row of the tables of docs/collectives.md 8.2 to 8.4, and how it is checked.

inline constexpr int unknown = -1;

struct Row {
  const char* algorithm;
  int nodes;
  double steps, words;
  std::array<int, 4> loads;      // line, ring, mesh, cube; 0: no such topology
  std::array<double, 4> scaled;  // t_w scaled by load
  int segments = 1;
  Rank root = 0;
};

// 6 = 2x3, 8 = 2x4, 16 = 4x4.
inline std::vector<int> extents(int nodes) {
  if (nodes == 6) return {2, 3};
  if (nodes == 8) return {2, 4};
  return {4, 4};
}

inline std::vector<std::optional<Topology>> interconnects(int nodes) {
  std::vector<std::optional<Topology>> list{Topology(shapes::array{}, nodes), Topology(shapes::ring{}, nodes),
                                            Topology(Shape(Family::mesh, extents(nodes)), nodes),
                                            std::nullopt};
  if (std::has_single_bit(unsigned(nodes))) list[3] = Topology(shapes::hypercube{}, nodes);
  return list;
}

inline int message_blocks(const char* name, const Parameters& parameters, const Schedule& schedule) {
  return contract(algorithm(name).collective, parameters, schedule.blocks()).message_blocks;
}

inline void check(const Row& row, const Schedule& schedule, int m) {
  CAPTURE(std::string(row.algorithm));
  CAPTURE(row.nodes);
  const Cost cost = step_synchronous_cost(schedule, m);
  CHECK(cost.startups == row.steps);
  CHECK(cost.words == row.words);
  const auto topologies = interconnects(row.nodes);
  for (std::size_t i = 0; i < topologies.size(); ++i) {
    if (!topologies[i] || row.loads[i] == unknown) continue;
    CAPTURE(topologies[i]->text());
    const std::vector<RoundLoad> loads =
        link_loads(schedule, *topologies[i], topologies[i]->default_routing());
    CHECK(greatest_load(loads) == row.loads[i]);
    CHECK(scaled_words(loads, m) == row.scaled[i]);
  }
}

}  // namespace vnode
