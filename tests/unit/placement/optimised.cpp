#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include <vnode/error.hpp>
#include <vnode/model/mapping_metrics.hpp>
#include <vnode/model/mapping_policy.hpp>

#include "brief.hpp"
#include "machines.hpp"
#include "placement/search.hpp"

using namespace vnode;

namespace {

/// Returns the least weighted hops of all other policies' mappings.
double best_policy(const Machine& machine, const Topology& topology) {
  double least = std::numeric_limits<double>::infinity();
  for (const MappingPolicy& policy : mapping_policies()) {
    if (policy.name == "optimised") continue;
    try {
      least = std::min(least, weighted_hops(machine, topology, policy.map(machine, topology, {})));
    } catch (const UsageError&) {  // not for this topology or number of nodes
    }
  }
  return least;
}

}  // namespace

TEST_CASE("the search finds what no policy has: a mesh over NUMA nodes of odd sizes") {
  const Machine machine = Assembly("odd").cores(7, 0, 0, 0, 1).cores(5, 0, 1, 1, 1).cores(4, 1, 2, 2, 1);
  const Topology topology(shapes::mesh{4, 4}, 16);
  const MappingMetrics found = mapping_metrics(machine, topology, optimised_mapping(machine, topology));
  CHECK(found.weighted_hops <= best_policy(machine, topology));
  CHECK(found.weighted_hops >= found.least_weighted_hops);
}

TEST_CASE("a heavy link is kept inside a NUMA node") {
  const Machine machine = Machine::from_synthetic("numa:2 core:4 pu:1");
  const Topology topology(shapes::ring{}, 8);
  for (std::size_t heavy = 0; heavy < 8; ++heavy) {
    MappingSearch search;
    search.weights.assign(8, 1);
    search.weights[heavy] = 100;
    const Mapping mapping = optimised_mapping(machine, topology, search);
    CHECK(weighted_hops(machine, topology, mapping, search.weights) == 2 * 12 + 5 * 10 + 100 * 10);
  }
}

TEST_CASE("NUMA nodes are exchanged where that shortens their distances") {
  Machine machine = Machine::from_synthetic("numa:4 core:4 pu:1");
  machine.distances = {{10, 40, 20, 20}, {40, 10, 20, 20}, {20, 20, 10, 40}, {20, 20, 40, 10}};
  const Topology topology(shapes::hypercube{}, 16);
  // Each NUMA node's sub-cube has 4 links to each of two others: all of them can be short ones.
  CHECK(weighted_hops(machine, topology, optimised_mapping(machine, topology)) == 16 * 10 + 16 * 20);
}

TEST_CASE("the same seed finds the same mapping, and a budget may end the search at once") {
  const Machine machine = Machine::from_synthetic("pack:2 numa:3 core:3 pu:2");
  const Topology topology(shapes::torus{5, 5}, 25);
  const Mapping mapping = optimised_mapping(machine, topology, {.seed = 7});
  CHECK(optimised_mapping(machine, topology, {.seed = 7}) == mapping);
  const Mapping hurried = optimised_mapping(machine, topology, {.budget = std::chrono::milliseconds(0)});
  CHECK(weighted_hops(machine, topology, hurried) <= best_policy(machine, topology));
}

TEST_CASE("distances that a profile has measured count instead of the machine's") {
  const Machine machine = Machine::from_synthetic("numa:4 core:4 pu:1");
  const NumaDistances measured{DistanceSource::measured,
                               {{10, 40, 20, 20}, {40, 10, 20, 20}, {20, 20, 10, 40}, {20, 20, 40, 10}}};
  const MappingSearch search{.distances = measured};
  for (const auto& [policy, shape] :
       {std::pair{"optimised", "hypercube"}, {"ring_order", "ring"}, {"mesh_blocks", "mesh:4x4"}}) {
    const Topology topology(Shape::parse(shape), 16);
    CAPTURE(topology.text());
    Machine reported = machine;
    reported.distances = measured.values;
    const Mapping mapping = mapping_by(machine, topology, policy, search);
    CHECK(mapping == mapping_by(reported, topology, policy));
    const MappingMetrics metrics = mapping_metrics(machine, topology, mapping, {}, measured);
    CHECK(metrics == mapping_metrics(reported, topology, mapping));
    CHECK(metrics != mapping_metrics(machine, topology, mapping));
  }
  CHECK(ring_order_mapping(machine, Topology(shapes::ring{}, 16), measured) !=
        ring_order_mapping(machine, Topology(shapes::ring{}, 16)));
}

TEST_CASE("what comes before the searches looks at the time, too, and none is begun that takes too long") {
  const Machine machine = Machine::from_synthetic("pack:8 numa:8 core:16 pu:2");
  const Topology small(shapes::hypercube{}, 64), large(shapes::full{}, vnode_test::brief() ? 1024 : 2048);
  const std::vector<double> weights(static_cast<std::size_t>(large.links()), 1);
  const SearchSpace space(machine, small, {}, {});
  CHECK(greedy(space, {}));
  CHECK_FALSE(greedy(space, std::chrono::steady_clock::now()));
  CHECK_FALSE(greedy(SearchSpace(machine, large, weights, {}), {}));
  for (const std::vector<double>& some : {std::vector<double>(), weights}) {
    const MappingSearch hurried{.budget = std::chrono::milliseconds(1), .weights = some};
    CHECK(optimised_mapping(machine, large, hurried).pu.size() == static_cast<std::size_t>(large.nodes()));
  }
}

TEST_CASE("a weight is a finite number from 0 on") {
  const Machine machine = Machine::from_synthetic("numa:2 core:4 pu:1");
  const Topology topology(shapes::ring{}, 4);
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double bad : {infinite, -infinite, std::nan(""), -1.0}) {
    CAPTURE(bad);
    const std::vector<double> weights{1, 1, bad, 1};
    CHECK_THROWS_WITH_AS(optimised_mapping(machine, topology, {.weights = weights}),
                         doctest::Contains("the weight of link 2 is "), UsageError);
    CHECK_THROWS_AS(weighted_hops(machine, topology, compact_mapping(machine, 4), weights), UsageError);
    CHECK_THROWS_AS(mapping_metrics(machine, topology, compact_mapping(machine, 4), weights), UsageError);
  }
  // Sums of these are infinite, and every node is somewhere nevertheless.
  const std::vector<double> huge(4, std::numeric_limits<double>::max());
  const Mapping mapping = optimised_mapping(machine, topology, {.weights = huge});
  CHECK(given_mapping(machine, mapping.pu).own_core);
  CHECK(optimised_mapping(machine, topology, {.weights = {0, 0, 0, 0}}).own_core);
}

TEST_CASE("weights are one for each link") {
  const Machine machine = Machine::from_synthetic("numa:2 core:4 pu:1");
  CHECK_THROWS_WITH_AS(optimised_mapping(machine, Topology(shapes::ring{}, 8), {.weights = {1, 2}}),
                       "2 weights are given, ring has 8 links", UsageError);
}
