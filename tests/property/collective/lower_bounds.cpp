#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>

#include <vnode/lab/formula.hpp>
#include <vnode/lab/lower_bounds.hpp>
#include <vnode/lab/sweep.hpp>
#include <vnode/lab/textbook.hpp>

#include "building_blocks/needs.hpp"

using namespace vnode;

namespace {

// Returns the ports of a node that an algorithm uses at the same time, at most.
int ports(const Algorithm& algorithm, int p) {
  if (algorithm.ports == Ports::single || p <= 2) return 1;
  const bool cube = std::ranges::any_of(algorithm.carriers,
                                        [](const Carrier& carrier) { return carrier.family == "hypercube"; });
  if (!cube) return p - 1;
  int dimensions = 0;
  while (1 << dimensions < p) ++dimensions;
  return dimensions;
}

std::string below(const Algorithm& algorithm, const Parameters& way) {
  const Cost cost = algorithm.cost(way);
  const LowerBound bound = lower_bound(algorithm.collective, way, ports(algorithm, way.nodes));
  if (cost.startups >= bound.startups && cost.words >= bound.words * (1 - 1e-12)) return {};
  return fmt::format("{}, p = {}, k = {}: {} rounds and {} words, at least {} and {}", algorithm.name,
                     way.nodes, way.segments, cost.startups, cost.words, bound.startups, bound.words);
}

}  // namespace

TEST_CASE("no algorithm is better than the lower bounds, in any way to call it") {
  for (const Algorithm& algorithm : algorithms()) {
    // What composes others costs as much to compute as its schedule; the sweep proves that cost, for all p.
    const int most_nodes = needs(algorithm, Need::domains) ? 16 : 64;
    std::string wrong;
    for (int p = 1; p <= most_nodes && wrong.empty(); ++p)
      for (const Parameters& way : every_way(algorithm, p))
        if (wrong = below(algorithm, way); !wrong.empty()) break;
    CHECK_MESSAGE(wrong.empty(), wrong);
  }
}

TEST_CASE("some algorithms attain them") {
  const auto attains = [](const char* name, const Parameters& parameters) {
    const Algorithm& row = algorithm(name);
    const Cost cost = row.cost(parameters);
    const LowerBound bound = lower_bound(row.collective, parameters, ports(row, parameters.nodes));
    CAPTURE(name);
    CHECK(cost.startups == bound.startups);
    CHECK(cost.words == doctest::Approx(bound.words));
  };
  attains("all_gather_bruck", {.nodes = 13});
  attains("gather_binomial", {.nodes = 13});
  attains("all_to_all_direct", {.nodes = 1});
  attains("all_reduce_two_shot_direct", {.nodes = 1});
  attains("circular_shift_direct", {.nodes = 13, .shift = 4});
  attains("barrier_dissemination", {.nodes = 13});
  CHECK(hypercube_exchange_bound(16) == LowerBound{4, 8, "t_s log2 p + [p > 1] t_w m p / 2"});
  CHECK(algorithm("all_to_all_rotated").cost({.nodes = 16}).words == 8);
}

TEST_CASE("the formulas of the bounds say the same") {
  for (const Collective collective : collectives())
    for (int p = 1; p <= 64; ++p)
      for (const int g : {1, 2, 3, std::max(p - 1, 1)})
        for (const int segments : {1, 5}) {
          const LowerBound bound = lower_bound(collective, {.nodes = p, .shift = 1, .segments = segments}, g);
          const Formula formula = Formula::parse(bound.formula);
          SymbolValues values{{{"p", p}, {"g", g}, {"k", segments}, {"q", p > 1}, {"m", 1}}};
          CAPTURE(bound.formula);
          CAPTURE(p);
          values.named["t_s"] = 1, values.named["t_w"] = 0;
          CHECK(formula.value(values) == bound.startups);
          values.named["t_s"] = 0, values.named["t_w"] = 1;
          CHECK(formula.value(values) == doctest::Approx(bound.words));
        }
}
