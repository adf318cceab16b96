// Tests docs/collectives.md 3, 5.8 and 5.9: from which message size on another algorithm is the cheapest.
#include <array>
#include <cmath>
#include <doctest/doctest.h>

#include <vnode/lab/textbook.hpp>

using namespace vnode;

namespace {

// m* in units of t_s / t_w, of two algorithms; 0 if they do not cross.
double cut_off(std::string_view shorter, std::string_view longer, const Parameters& parameters) {
  const std::array<const Algorithm*, 2> both{&algorithm(shorter), &algorithm(longer)};
  constexpr CostModel units{1, 1, 0, 0};
  const auto found = crossovers(both, parameters, units, {0.001, 1e6});
  if (found.empty()) return 0;
  REQUIRE(found.size() == 1);
  CHECK(found[0].below == both[0]);
  CHECK(found[0].above == both[1]);
  return found[0].bytes;
}

}  // namespace

TEST_CASE("message splitting pays from the sizes of docs/collectives.md 3 on, and never for two nodes") {
  CHECK(cut_off("broadcast_hypercube", "broadcast_splitting_hypercube", {.nodes = 2}) == 0);
  const std::pair<int, double> book[] = {{4, 4.000}, {8, 2.400}, {16, 1.882}, {64, 1.488}, {1024, 1.250}};
  for (const auto& [p, expected] : book) {
    const double d = std::log2(p), exact = d / (d - 2.0 * (p - 1) / p);
    CHECK(exact == doctest::Approx(expected).epsilon(5e-4));
    for (const auto& [shorter, longer] : {std::pair("broadcast_hypercube", "broadcast_splitting_hypercube"),
                                          std::pair("broadcast_doubling", "broadcast_splitting_hypercube"),
                                          std::pair("reduce_hypercube", "reduce_splitting_hypercube"),
                                          std::pair("all_reduce_doubling", "all_reduce_rabenseifner")})
      CHECK(cut_off(shorter, longer, {.nodes = p}) == doctest::Approx(exact).epsilon(1e-12));
  }
}

TEST_CASE("scatter and collect pay from the sizes of sections 5.8 and 5.9 on") {
  const std::pair<int, double> line[] = {{6, 3.75}, {8, 5.60}, {12, 5.08}, {16, 7.06}};
  for (const auto& [p, expected] : line)
    CHECK(cut_off("broadcast_binomial", "broadcast_splitting_ring", {.nodes = p}) ==
          doctest::Approx(expected).epsilon(1e-3));
  const std::pair<std::array<int, 2>, double> meshes[] = {
      {{2, 3}, 2.25}, {{2, 4}, 3.20}, {{3, 4}, 2.31}, {{4, 4}, 2.82}};
  for (const auto& [extents, expected] : meshes)
    CHECK(cut_off("broadcast_binomial", "broadcast_splitting_mesh",
                  {.nodes = extents[0] * extents[1], .extents = {extents[0], extents[1]}}) ==
          doctest::Approx(expected).epsilon(2e-3));
}

TEST_CASE("where a pipeline overtakes, both take the same time") {
  const std::array<const Algorithm*, 2> both{&algorithm("scan_hypercube"), &algorithm("scan_linear")};
  constexpr CostModel costs{150e-9, 0.1e-9, 0, 0};
  Parameters parameters{.nodes = 16};
  const auto found = crossovers(both, parameters, costs);
  REQUIRE(found.size() == 1);
  const double bytes = found[0].bytes;
  parameters.segments = optimum_segments(*both[1], parameters, static_cast<std::size_t>(bytes), costs);
  CHECK(parameters.segments > 1);
  CHECK(textbook_seconds(*both[0], parameters, bytes, costs) ==
        doctest::Approx(textbook_seconds(*both[1], parameters, bytes, costs)).epsilon(1e-6));
}

TEST_CASE("between two crossovers one candidate is the cheapest, and no other at any size") {
  constexpr CostModel costs{150e-9, 0.1e-9, 0.03e-9, 0};
  int changes = 0;
  for (const Collective collective : collectives())
    for (const Shape& shape : {Shape(shapes::ring{}), Shape(shapes::hypercube{}), Shape(shapes::mesh{})}) {
      const Topology topology(shape, 16);
      Demand demand;
      demand.collective = collective;
      demand.parameters.nodes = 16;
      demand.parameters.shift = 3;
      demand.parameters.extents = mesh_extents(topology);
      const SizeRange sizes{1, 1 << 24};
      const auto found = crossovers(demand, topology, costs, sizes);
      demand.bytes = std::size_t{1} << 24;
      double from = sizes.least;
      const auto check = [&](double to, const Algorithm& cheapest) {
        const double middle = std::sqrt(from * to);
        const auto time = [&](const Algorithm& algorithm) {
          Parameters parameters = demand.parameters;
          parameters.segments =
              optimum_segments(algorithm, parameters, static_cast<std::size_t>(middle), costs);
          return textbook_seconds(algorithm, parameters, middle, costs);
        };
        demand.parameters.segments = 1;
        for (const Candidate& candidate : candidates(demand, topology, costs))
          if (candidate.excluded.empty()) CHECK(time(*candidate.algorithm) >= time(cheapest) * (1 - 1e-9));
        from = to;
      };
      for (const Crossover& crossover : found) {
        CHECK(crossover.bytes >= from);
        check(crossover.bytes, *crossover.below);
      }
      if (!found.empty()) check(sizes.most, *found.back().above);
      changes += static_cast<int>(found.size());
    }
  CHECK(changes > 5);
}
