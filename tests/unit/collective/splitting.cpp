// Tests message splitting, docs/collectives.md 3, 5.8 and 5.9, and table 4.1 of Grama et al., 2.7 there.
#include <cmath>
#include <doctest/doctest.h>

#include <vnode/model/algorithms.hpp>

#include "built.hpp"

using namespace vnode;

namespace {

// Returns the m from which `split` is faster than `whole`, in units of t_s / t_w.
double cut_off(std::string_view split, std::string_view whole, const Parameters& parameters) {
  const Cost a = algorithm(split).cost(parameters), b = algorithm(whole).cost(parameters);
  return (a.startups - b.startups) / (b.words - a.words);
}

}  // namespace

TEST_CASE("3: scatter, then gather; nobody is sent what it has") {
  CHECK(drawn("broadcast_splitting_ring", {.nodes = 4}) ==
        "1: 0>2[2-3]; 2: 0>1[1] 2>3[3]; 3: 0>1[0] 1>2[1] 2>3[2]; 4: 0>1[3] 1>2[0] 2>3[1]; 5: 0>1[2] 2>3[0]");
  CHECK(drawn("broadcast_splitting_hypercube", {.nodes = 4}) ==
        "1: 0>2[2-3]; 2: 0>1[1] 2>3[3]; 3: 0>1[0] 2>3[2]; 4: 0>2[0-1] 1>3[0-1] 3>1[2-3]");
}

TEST_CASE("3: all-to-all reduction, then gather") {
  CHECK(drawn("reduce_splitting_hypercube", {.nodes = 4}) ==
        "1: 2>+0[0-1] 3>+1[0-1] 0+>2[2-3] 1+>3[2-3]; 2: 1>+0[0] 0+>1[1] 3>+2[2] 2+>3[3]; "
        "3: 1>0[1] 3>2[3]; 4: 2>0[2-3]");
}

TEST_CASE("3: the message from which splitting is faster, in units of t_s / t_w") {
  struct CutOff {
    int nodes;
    double message;
  };
  for (const auto& [nodes, message] :
       {CutOff{4, 4.000}, CutOff{8, 2.400}, CutOff{16, 1.882}, CutOff{64, 1.488}, CutOff{1024, 1.250}}) {
    const Parameters parameters{.nodes = nodes};
    const auto near = doctest::Approx(message).epsilon(5e-4);
    CHECK(cut_off("broadcast_splitting_hypercube", "broadcast_hypercube", parameters) == near);
    CHECK(cut_off("reduce_splitting_hypercube", "reduce_hypercube", parameters) == near);
    CHECK(cut_off("all_reduce_rabenseifner", "all_reduce_doubling", parameters) == near);
  }
  CHECK(std::isinf(cut_off("broadcast_splitting_hypercube", "broadcast_hypercube", {.nodes = 2})));
}

TEST_CASE("5.8: scatter-collect beats one tree from so many t_s / t_w on") {
  const auto from = [](int nodes) {
    return cut_off("broadcast_splitting_ring", "broadcast_binomial", {.nodes = nodes});
  };
  CHECK(from(6) == doctest::Approx(3.75));
  CHECK(from(8) == doctest::Approx(5.60));
  CHECK(from(12) == doctest::Approx(5.08).epsilon(1e-3));
  CHECK(from(16) == doctest::Approx(7.06).epsilon(1e-3));
}

TEST_CASE("5.9: in two dimensions from fewer") {
  const auto from = [](int rows, int columns) {
    return cut_off("broadcast_splitting_mesh", "broadcast_binomial",
                   {.nodes = rows * columns, .extents = {rows, columns}});
  };
  CHECK(from(2, 3) == doctest::Approx(2.25));
  CHECK(from(2, 4) == doctest::Approx(3.20));
  CHECK(from(3, 4) == doctest::Approx(2.31).epsilon(1e-3));
  CHECK(from(4, 4) == doctest::Approx(2.82).epsilon(1e-3));
}

TEST_CASE("2.7: table 4.1, the times on a hypercube") {
  for (const int d : {1, 2, 3, 4, 5, 6}) {
    const int p = 1 << d;
    CAPTURE(p);
    const auto takes = [&](std::string_view name, double startups, double words) {
      CAPTURE(name);
      const Schedule schedule = algorithm(name).build({.nodes = p, .shift = p / 2});
      const Contract wanted =
          contract(algorithm(name).collective, {.nodes = p, .shift = p / 2}, schedule.blocks());
      const Cost cost = step_synchronous_cost(schedule, wanted.message_blocks);
      CHECK(cost.startups == startups);
      CHECK(cost.words == doctest::Approx(words));
    };
    takes("broadcast_hypercube", d, d);
    takes("reduce_hypercube", d, d);
    takes("all_reduce_doubling", d, d);
    const double twice = 2.0 * (p - 1) / p;  // the table has 2, an upper bound
    takes("broadcast_splitting_hypercube", 2 * d, twice);
    takes("reduce_splitting_hypercube", 2 * d, twice);
    takes("all_reduce_rabenseifner", 2 * d, twice);
    takes("all_gather_hypercube", d, p - 1);
    takes("reduce_scatter_hypercube", d, p - 1);
    takes("scatter_hypercube", d, p - 1);
    takes("gather_hypercube", d, p - 1);
    if (d < 6) takes("all_to_all_e_cube", p - 1, p - 1);
    takes("circular_shift_direct", 1, 1);
  }
}
