#include <cmath>
#include <doctest/doctest.h>

#include <vnode/lab/textbook.hpp>
#include <vnode/model/select.hpp>

using namespace vnode;

namespace {

constexpr CostModel costs{150e-9, 0.1e-9, 0.03e-9, 0};

double seconds(const Algorithm& algorithm, Parameters parameters, std::size_t bytes, int segments) {
  parameters.segments = segments;
  return textbook_seconds(algorithm, parameters, static_cast<double>(bytes), costs);
}

}  // namespace

TEST_CASE("the best number of segments is as good as the best of all numbers") {
  for (const Algorithm& algorithm : algorithms()) {
    if (!algorithm.segments) continue;
    for (const int nodes : {2, 3, 7, 8, 16})
      for (const std::size_t bytes : {64u, 500u, 4096u, 65536u}) {
        Parameters parameters{.nodes = nodes};
        const Topology squarest(shapes::mesh{}, nodes);
        parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
        if (why_not(algorithm, parameters)) continue;
        CAPTURE(algorithm.name);
        CAPTURE(nodes);
        CAPTURE(bytes);
        const int best = optimum_segments(algorithm, parameters, bytes, costs);
        const int most = most_segments(algorithm, parameters, bytes);
        REQUIRE(best >= 1);
        REQUIRE(best <= most);
        double least = seconds(algorithm, parameters, bytes, 1);
        for (int segments = 2; segments <= std::min(most, 300); ++segments)
          least = std::min(least, seconds(algorithm, parameters, bytes, segments));
        CHECK(seconds(algorithm, parameters, bytes, best) <= least * (1 + 1e-9));
      }
  }
}

TEST_CASE("a pipeline's best number of segments is the root of (p - 2) t_w m / t_s") {
  const Algorithm& pipeline = algorithm("exclusive_scan_linear");
  const CostModel hockney{150e-9, 0.1e-9, 0, 0};
  const Parameters parameters{.nodes = 18};
  const double exact = std::sqrt(16 * 0.1 * 262144 / 150);
  CHECK(optimum_before_rounding(pipeline, parameters, 262144, hockney) == doctest::Approx(exact));
  CHECK(std::abs(optimum_segments(pipeline, parameters, 262144, hockney) - exact) < 1);
  CHECK(optimum_segments(algorithm("broadcast_binomial"), parameters, 262144, hockney) == 1);
}

TEST_CASE("k* as a formula is k* as computed") {
  int formulas = 0;
  for (const Algorithm& algorithm : algorithms())
    for (int nodes = 4; nodes <= 64; ++nodes) {
      Parameters parameters{.nodes = nodes, .segments = 840};
      const Topology squarest(shapes::mesh{}, nodes);
      parameters.extents.assign(squarest.extents().begin(), squarest.extents().end());
      if (why_not(algorithm, parameters)) continue;
      const auto formula = optimum_formula(algorithm, parameters);
      if (!formula) continue;
      ++formulas;
      SymbolValues values = symbol_values(algorithm, parameters);
      values.named.insert({{"m", 1e6}, {"t_s", costs.t_s}, {"t_w", costs.t_w}, {"t_op", costs.t_op}});
      CAPTURE(algorithm.name);
      CAPTURE(nodes);
      CHECK(formula->value(values) ==
            doctest::Approx(optimum_before_rounding(algorithm, parameters, 1e6, costs)));
    }
  CHECK(formulas > 100);
}

TEST_CASE("no segment is shorter than a cache line, and rounds can be numbered") {
  const Algorithm& pipeline = algorithm("scan_linear");
  const CostModel no_startups{0, 1e-9, 0, 0};
  CHECK(optimum_segments(pipeline, {.nodes = 8}, 640, no_startups) == 10);
  CHECK(optimum_segments(pipeline, {.nodes = 8}, 63, no_startups) == 1);
  Parameters parameters{.nodes = 8};
  parameters.segments = optimum_segments(pipeline, parameters, std::size_t{1} << 40, no_startups);
  CHECK(rounds(pipeline, parameters) <= 65535);
  CHECK(rounds(pipeline, parameters) > 30000);
}

TEST_CASE("a choice has the segments with the least predicted time") {
  Demand demand;
  demand.collective = Collective::scan;
  demand.parameters.nodes = 8;
  demand.algorithm = "scan_linear";
  for (const std::size_t bytes : {100u, 3000u, 20000u, 400000u, 1u << 22}) {
    demand.bytes = bytes;
    demand.parameters.segments = 0;
    const Candidate chosen = choose(demand, Topology(shapes::full{}, 8), costs);
    CAPTURE(bytes);
    for (int segments = 1; segments <= static_cast<int>(std::min<std::size_t>(bytes / 64, 1000));
         ++segments) {
      demand.parameters.segments = segments;
      CHECK(choose(demand, Topology(shapes::full{}, 8), costs).seconds >= chosen.seconds * (1 - 1e-9));
    }
  }
}
