#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "machines.hpp"

using namespace vnode;

namespace {

using Pus = std::vector<int>;
using Groups = std::vector<std::vector<Rank>>;

constexpr DomainLevel numa = DomainLevel::numa;

}  // namespace

TEST_CASE("scatter takes the PUs that hwloc-distrib --single prints") {
  const Machine two = Machine::from_synthetic("pack:2 numa:2 core:4 pu:2");
  CHECK(scatter_mapping(two, 3).pu == Pus{0, 8, 16});
  CHECK(scatter_mapping(two, 6).pu == Pus{0, 4, 8, 16, 20, 24});
  CHECK(scatter_mapping(Machine::from_synthetic("pack:3 numa:1 l3:2 core:3 pu:1"), 7).pu ==
        Pus{0, 1, 3, 6, 9, 12, 15});
}

TEST_CASE("scatter gives no core a second node while another has none") {
  const Machine machine = Assembly("hybrid").cores(2, 0, 0, 0, 4).cores(4, 1, 1, 1, 1);
  CHECK(scatter_mapping(machine, 6).pu == Pus{0, 4, 8, 9, 10, 11});
  CHECK(scatter_mapping(machine, 7).pu == Pus{0, 1, 4, 8, 9, 10, 11});
}

TEST_CASE("cores without an L3 are of their package, not of one part over all packages") {
  Assembly hybrid("two packages of 4 fast cores with an L3 and 8 slow ones without");
  for (int package = 0; package < 2; ++package)
    hybrid.cores(4, package, package, package, 2).cores(8, package, package, -1, 1);
  CHECK(scatter_mapping(hybrid, 2).pu == Pus{0, 16});
  // One package's links with the other are those across one dimension of the cube.
  const Machine machine = hybrid;
  const Topology topology(shapes::mesh{4, 6}, 24);
  const MappingMetrics metrics = mapping_metrics(machine, topology, mesh_blocks_mapping(machine, topology));
  CHECK(metrics.across(DomainLevel::package) == Crossings{2, 4, 4});
}

TEST_CASE("round robin puts consecutive ranks on different domains, and leaves out those that are full") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:2 pu:1");
  CHECK(round_robin_mapping(machine, 8, numa).pu == Pus{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(round_robin_mapping(machine, 6, DomainLevel::package).pu == Pus{0, 4, 1, 5, 2, 6});
  CHECK(round_robin_mapping(machine, 10, numa).pu == Pus{0, 2, 4, 6, 1, 3, 5, 7, 0, 2});
  const Machine uneven = Assembly("uneven").cores(1, 0, 0, 0, 2).cores(3, 0, 1, 1, 2);
  CHECK(round_robin_mapping(uneven, 8, DomainLevel::l3).pu == Pus{0, 2, 4, 6, 1, 3, 5, 7});
}

TEST_CASE("one node per domain is alone on its domain's first core") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 l3:2 core:2 pu:2");
  CHECK(one_per_domain_mapping(machine, 4, numa).pu == Pus{0, 8, 16, 24});
  CHECK(one_per_domain_mapping(machine, 3, DomainLevel::l3).pu == Pus{0, 4, 8});
  CHECK_THROWS_WITH_AS(
      one_per_domain_mapping(machine, 5, numa),
      "cannot put 5 nodes one on each numa domain: pack:2 numa:2 l3:2 core:2 pu:2 has 4; take as "
      "many nodes, or round_robin_numa",
      UsageError);
}

TEST_CASE("a ring turns round on the way where NUMA nodes are in a row, an array only goes there") {
  const Machine machine = in_a_row(Machine::from_synthetic("numa:4 core:2 pu:1"), {10, 20, 28, 36});
  const Topology topology(shapes::ring{}, 8);
  const Mapping mapping = ring_order_mapping(machine, topology);
  CHECK(mapping.pu == Pus{0, 1, 2, 3, 6, 7, 4, 5});
  CHECK(ring_order_mapping(machine, Topology(shapes::array{}, 8)).pu == Pus{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(mapping_metrics(machine, topology, mapping).weighted_hops == 20 + 28 + 20 + 28 + 4 * 10);
  CHECK(mapping_metrics(machine, topology, mapping).dilation == 28);
  CHECK(mapping_metrics(machine, topology, compact_mapping(machine, 8)).dilation == 36);
}

TEST_CASE(
    "a ring goes there over one half of each NUMA node and back over the other, where that is no longer") {
  const Topology topology(shapes::ring{}, 8);
  for (const std::vector<std::uint64_t>& row :
       {std::vector<std::uint64_t>{10, 12, 24, 36}, {10, 20, 30, 40}}) {
    const Machine machine = in_a_row(Machine::from_synthetic("numa:4 core:2 pu:1"), row);
    const Mapping mapping = ring_order_mapping(machine, topology);
    CHECK(mapping.pu == Pus{0, 2, 4, 6, 7, 5, 3, 1});
    const MappingMetrics metrics = mapping_metrics(machine, topology, mapping);
    CHECK(metrics.weighted_hops == 6 * static_cast<double>(row[1]) + 2 * 10);
    CHECK(metrics.weighted_hops <= weighted_hops(machine, topology, compact_mapping(machine, 8)));
    CHECK(metrics.dilation == static_cast<double>(row[1]));
  }
}

TEST_CASE("a ring crosses to the nearest NUMA node next, whatever its number") {
  Machine square = Machine::from_synthetic("numa:4 core:1 pu:1");
  square.distances = {{10, 40, 20, 20}, {40, 10, 20, 20}, {20, 20, 10, 40}, {20, 20, 40, 10}};
  CHECK(ring_order_mapping(square, Topology(shapes::ring{}, 4)).pu == Pus{0, 2, 1, 3});
  CHECK(mapping_metrics(square, Topology(shapes::ring{}, 4),
                        ring_order_mapping(square, Topology(shapes::ring{}, 4)))
            .weighted_hops == 80);
}

TEST_CASE("a mesh lies in square blocks on NUMA nodes") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:16 pu:1");
  const Topology topology(shapes::mesh{8, 8}, 64);
  const Mapping mapping = mesh_blocks_mapping(machine, topology);
  const MappingMetrics metrics = mapping_metrics(machine, topology, mapping);
  CHECK(metrics.across(numa) == Crossings{4, 16, 16});
  CHECK(metrics.across(DomainLevel::package) == Crossings{2, 8, 8});
  for (const std::vector<Rank>& block : domains_of(machine, mapping, numa))
    for (const Rank rank : block)
      for (int dimension = 0; dimension < 2; ++dimension)
        CHECK(topology.coordinate(rank, dimension) / 4 == topology.coordinate(block.front(), dimension) / 4);
}

TEST_CASE("blocks are boxes wherever extents divide, and compact where they do not") {
  const auto crossings = [](const char* machine, const Shape& shape, int nodes) {
    const Machine there = Machine::from_synthetic(machine);
    const Topology topology(shape, nodes);
    return mapping_metrics(there, topology, mesh_blocks_mapping(there, topology)).across(numa).links;
  };
  CHECK(crossings("numa:9 core:4 pu:1", shapes::mesh{6, 6}, 36) == 24);
  CHECK(crossings("numa:8 core:8 pu:1", shapes::mesh{4, 4, 4}, 64) == 3 * 16);
  CHECK(crossings("numa:2 core:8 pu:1", shapes::torus{4, 4}, 16) == 8);
  CHECK(crossings("numa:4 core:4 pu:1", shapes::hypercube{}, 16) == 16);
  CHECK(crossings("numa:4 core:4 pu:1", shapes::ring{}, 16) == 4);
  CHECK(crossings("numa:3 core:4 pu:1", shapes::mesh{3, 4}, 12) ==
        6);  // two squares and a row, not three rows
  CHECK(crossings("numa:3 core:3 pu:1", shapes::mesh{2, 4}, 8) <= 6);
}

TEST_CASE("a grid is laid in blocks only where nodes have coordinates") {
  const Machine machine = Machine::from_synthetic("numa:2 core:4 pu:1");
  CHECK_THROWS_WITH_AS(
      mesh_blocks_mapping(machine, Topology(shapes::tree{}, 4)),
      "mesh_blocks needs nodes with coordinates, as array, ring, mesh, torus and hypercube have: "
      "tree has none",
      UsageError);
  CHECK_THROWS_AS(mesh_blocks_mapping(machine, Topology(shapes::full{}, 4)), UsageError);
}

TEST_CASE("sub-cubes: each NUMA node has one, and the next NUMA node a neighbouring one") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:2 core:4 pu:1");
  const Topology topology(shapes::hypercube{}, 16);
  const Mapping mapping = subcubes_mapping(machine, topology);
  CHECK(domains_of(machine, mapping, numa) ==
        Groups{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}});
  CHECK(mapping.pu[4] == 7);
  CHECK(mapping.pu[12] == 8);  // 1100 comes after 0100
  CHECK(mapping.pu[8] == 15);
  CHECK_THROWS_WITH_AS(subcubes_mapping(machine, Topology(shapes::ring{}, 4)),
                       "subcubes needs a hypercube: ring has no sub-cubes", UsageError);
}

TEST_CASE("sub-cubes cross p / 2 log2 of the domains links, the least, on every power of two of NUMA nodes") {
  for (int packages = 1; packages <= 8; packages *= 2)
    for (int numas = 1; numas <= 8; numas *= 2)
      for (const int cores : {1, 2, 4, 6}) {
        const Machine machine =
            Machine::from_synthetic("pack:" + std::to_string(packages) + " numa:" + std::to_string(numas) +
                                    " core:" + std::to_string(cores) + " pu:2");
        const int banks = packages * numas;
        for (int nodes = banks; nodes <= 2 * banks * cores; nodes *= 2) {
          CAPTURE(machine.source);
          CAPTURE(nodes);
          const Topology topology(shapes::hypercube{}, nodes);
          const MappingMetrics metrics =
              mapping_metrics(machine, topology, subcubes_mapping(machine, topology));
          const Crossings& across = metrics.across(numa);
          long dimensions = 0;
          while (1 << dimensions < across.domains) ++dimensions;
          CHECK(across.links == nodes / 2 * dimensions);
          CHECK(across.least == across.links);
        }
      }
}

TEST_CASE("sub-cubes take as few NUMA nodes as have room, and no more than a power of two") {
  const Machine three = Machine::from_synthetic("numa:3 core:8 pu:1");
  CHECK(allowed_domains(three, numa).size() == 3);
  const auto sizes = [](const Machine& machine, int nodes) {
    std::vector<std::size_t> all;
    for (const auto& ranks :
         domains_of(machine, subcubes_mapping(machine, Topology(shapes::hypercube{}, nodes)), numa))
      all.push_back(ranks.size());
    return all;
  };
  CHECK(sizes(three, 8) == std::vector<std::size_t>{8});
  CHECK(sizes(three, 16) == std::vector<std::size_t>{8, 8});
  CHECK(sizes(Machine::from_synthetic("numa:2 core:5 pu:2"), 16) == std::vector<std::size_t>{8, 8});
  CHECK(sizes(Machine::from_synthetic("numa:3 core:3 pu:1"), 8) == std::vector<std::size_t>{3, 3, 2});
}
