#include <algorithm>
#include <bit>
#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/mapping_policy.hpp>
#include <vnode/model/pu_distance.hpp>

#include "machine_file.hpp"
#include "machines.hpp"

using namespace vnode;

namespace {

/// Returns the fewest links between a set of `size` nodes and the others, by looking at all sets. A tree's
/// switches stand with their leftmost leaves: its links are those of a binomial tree.
long fewest(const Topology& topology, int size) {
  std::vector<std::pair<int, int>> links;
  if (topology.family() == Family::tree)
    for (int step = 1; step < topology.nodes(); step *= 2)
      for (int leaf = 0; leaf + step < topology.nodes(); leaf += 2 * step)
        links.emplace_back(leaf, leaf + step);
  else
    for (int link = 0; link < topology.links(); ++link)
      links.emplace_back(topology.ends(2 * link).from, topology.ends(2 * link).to);
  long least = topology.links();
  for (unsigned set = 0; set < 1U << topology.nodes(); ++set) {
    if (std::popcount(set) != size) continue;
    least = std::min(least, static_cast<long>(std::ranges::count_if(links, [=](const auto& link) {
                       return (set >> link.first & 1) != (set >> link.second & 1);
                     })));
  }
  return least;
}

}  // namespace

TEST_CASE("the innermost common part says how far two PUs are") {
  const PuDistance distance(Machine::from_synthetic("pack:2 numa:2 l3:2 l2:2 core:2 pu:2"));
  CHECK(distance.source() == DistanceSource::hops);
  CHECK(distance(0, 0) == 0);
  CHECK(distance(0, 1) == 1);
  CHECK(distance(0, 2) == 2);
  CHECK(distance(0, 4) == 3);
  CHECK(distance(0, 8) == 10);
  CHECK(distance(0, 16) == 12);
  CHECK(distance(0, 32) == 20);
  CHECK(distance(32, 0) == 20);
}

TEST_CASE("levels between NUMA nodes and packages count as they do between banks") {
  const Machine machine = machine_of_file("levels");
  const PuDistance distance(machine);
  const NumaDistances known = numa_distances(machine);
  REQUIRE(known.source == DistanceSource::hops);
  for (const NumaNode& a : machine.numas)
    for (const NumaNode& b : machine.numas)
      if (&a != &b)
        CHECK(distance(a.pus.front(), b.pus.front()) ==
              static_cast<double>(known.values[static_cast<std::size_t>(&a - machine.numas.data())]
                                              [static_cast<std::size_t>(&b - machine.numas.data())]));
}

TEST_CASE("two packages near one NUMA node are far from each other") {
  const PuDistance distance(Machine::from_synthetic("numa:1 pack:2 core:2 pu:1"));
  CHECK(distance(0, 1) == 10);
  CHECK(distance(1, 2) == 20);
}

TEST_CASE("the machine's distances count between NUMA nodes, both directions alike, the least being 10") {
  Machine machine = Machine::from_synthetic("numa:3 core:2 pu:1");
  machine.distances = {{20, 42, 60}, {38, 20, 24}, {62, 24, 22}};
  const PuDistance distance(machine);
  CHECK(distance.source() == DistanceSource::reported);
  CHECK(distance(0, 1) == 10);
  CHECK(distance(0, 2) == 20);
  CHECK(distance(4, 0) == 30.5);
  CHECK(distance(2, 4) == 12);
  machine.distances[0][1] = 0;
  CHECK(PuDistance(machine).source() == DistanceSource::partly);
  machine.distances = {{10, 20}, {20, 10}};
  CHECK(PuDistance(machine).source() == DistanceSource::hops);
  using Values = std::vector<std::vector<std::uint64_t>>;
  for (const Values& values : {machine.distances, Values{{10, 20, 20}, {20, 10}, {20, 20, 10}},
                               Values{{10, 20, 20}, {20, 10, 0}, {20, 20, 10}}})
    CHECK_THROWS_WITH_AS(PuDistance(machine, NumaDistances{DistanceSource::measured, values}),
                         "distances between 3 NUMA nodes are 3 times 3, and none is 0", UsageError);
}

TEST_CASE("a hypercube of 8 on two NUMA nodes, counted by hand") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:1 core:4 pu:1");
  const Topology topology(shapes::hypercube{}, 8);
  const MappingMetrics best = mapping_metrics(machine, topology, compact_mapping(machine, 8));
  CHECK(best.links == 12);
  CHECK(best.weighted_hops == 8 * 10 + 4 * 20);
  CHECK(best.least_weighted_hops == 160);
  CHECK(best.across(DomainLevel::numa) == Crossings{2, 4, 4});
  CHECK(best.package_link_load == 4);
  CHECK(best.dilation == 20);
  // Even ranks here, odd ones there, and the higher half the other way round.
  const Mapping worst{.pu = {0, 4, 5, 1, 6, 2, 3, 7}, .own_core = true, .cores_used = 8};
  CHECK(mapping_metrics(machine, topology, worst).across(DomainLevel::package) == Crossings{2, 12, 4});
}

TEST_CASE("the load of a package link is that of the busiest pair") {
  const Machine machine = Machine::from_synthetic("pack:4 core:2 pu:1");
  const MappingMetrics metrics =
      mapping_metrics(machine, Topology(shapes::mesh{2, 4}, 8), compact_mapping(machine, 8));
  // Packages 0 and 1 have the first row, 2 and 3 the second.
  CHECK(metrics.across(DomainLevel::package).links == 6);
  CHECK(metrics.package_link_load == 2);
}

TEST_CASE("a switch of a tree stands where its leftmost leaf is") {
  const Machine machine = Machine::from_synthetic("numa:2 core:2 pu:1");
  const MappingMetrics metrics =
      mapping_metrics(machine, Topology(shapes::tree{}, 4), compact_mapping(machine, 4));
  CHECK(metrics.links == 6);
  CHECK(metrics.weighted_hops == 10 + 10 + 12);
  CHECK(metrics.across(DomainLevel::numa) == Crossings{2, 1, 1});
}

TEST_CASE("a bound of crossings is not above the least, and is the least where that is promised") {
  for (const auto& [shape, nodes] : {std::pair{"array", 9},
                                     {"ring", 9},
                                     {"ring", 2},
                                     {"full", 7},
                                     {"tree", 8},
                                     {"hypercube", 8},
                                     {"hypercube", 16},
                                     {"mesh:3x4", 12},
                                     {"mesh:4x4", 16},
                                     {"mesh:2x7", 14},
                                     {"mesh:1x6", 6},
                                     {"mesh:2x2x3", 12},
                                     {"torus:3x3", 9},
                                     {"torus:4x4", 16}}) {
    const Topology topology(Shape::parse(shape), nodes);
    for (int size = 1; size < nodes; ++size) {
      CAPTURE(topology.text());
      CAPTURE(size);
      const long least = fewest(topology, size);
      const auto bound = least_crossings(topology, std::vector{size, nodes - size});
      REQUIRE(bound);
      CHECK(*bound <= least);
      const Family family = topology.family();
      if (family == Family::array || family == Family::ring || family == Family::full ||
          family == Family::hypercube)
        CHECK(*bound == least);
      if (2 * size == nodes && topology.dimensions() == 2) CHECK(*bound == least);
    }
    CHECK(least_crossings(topology, std::vector{nodes}) == 0);
    CHECK(least_crossings(topology, std::vector<int>(static_cast<std::size_t>(nodes), 1)) <=
          topology.links());
  }
  CHECK_FALSE(least_crossings(Topology(shapes::torus{3, 4}, 12), std::vector{6, 6}));
}

TEST_CASE("the known optima: equal blocks of meshes and sub-cubes") {
  CHECK(least_crossings(Topology(shapes::mesh{8, 8}, 64), std::vector(4, 16)) == 16);
  CHECK(least_crossings(Topology(shapes::mesh{4, 4, 4}, 64), std::vector(8, 8)) == 48);
  CHECK(least_crossings(Topology(shapes::hypercube{}, 1024), std::vector(16, 64)) == 512 * 4);
  CHECK(least_crossings(Topology(shapes::ring{}, 100), std::vector{30, 30, 40}) == 3);
}

TEST_CASE("a metric of what does not fit is refused") {
  const Machine machine = Machine::from_synthetic("numa:2 core:2 pu:1");
  const Topology topology(shapes::ring{}, 4);
  CHECK_THROWS_WITH_AS(mapping_metrics(machine, topology, compact_mapping(machine, 3)),
                       "the mapping has 3 nodes, the topology, ring, has 4", UsageError);
  CHECK_THROWS_WITH_AS(mapping_metrics(machine, topology, {.pu = {0, 1, 2, 4}}),
                       "node 3 is mapped to PU 4, the machine has 4", UsageError);
  CHECK_THROWS_AS(weighted_hops(machine, topology, compact_mapping(machine, 4), std::vector{1.0}),
                  UsageError);
  CHECK_THROWS_WITH_AS(least_crossings(topology, std::vector{2, 3}),
                       "the sets have 5 nodes in sum, the topology 4", UsageError);
  CHECK_THROWS_WITH_AS(least_crossings(topology, std::vector{4, 0}), "a set has at least 1 node, not 0",
                       UsageError);
}
