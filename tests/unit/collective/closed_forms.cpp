// Tests docs/collectives.md 8.1: the closed forms of steps and words, against the formulas of the register.
#include <bit>
#include <doctest/doctest.h>
#include <functional>

#include <vnode/model/algorithms.hpp>

#include "building_blocks/formula.hpp"

using namespace vnode;

namespace {

struct Form {
  const char* algorithm;
  std::function<double(int p)> steps, words;
};

// 2^floor(log2 p).
int below(int p) { return 1 << (ceil_log2(p + 1) - 1); }

// Returns the number of rounds that folding takes: p may be no power of two.
int fold(int p) { return p == below(p) ? 0 : 2; }

// Words of Bruck's all_to_all: w_i = the j < p with bit i.
int bits(int p) {
  int sum = 0;
  for (int j = 0; j < p; ++j) sum += std::popcount(static_cast<unsigned>(j));
  return sum;
}

double others(int p) { return p - 1; }
double twice_split(int p) { return 2.0 * (p - 1) / p; }

const Form forms[] = {
    {"broadcast_linear", others, others},
    {"broadcast_doubling", ceil_log2, ceil_log2},
    {"broadcast_low_bit_first", ceil_log2, ceil_log2},
    {"broadcast_binomial", ceil_log2, ceil_log2},
    {"broadcast_mst", ceil_log2, ceil_log2},
    {"broadcast_recursive_splitting", ceil_log2, ceil_log2},
    {"reduce_mst", ceil_log2, ceil_log2},
    {"reduce_recursive_splitting", ceil_log2, ceil_log2},
    {"broadcast_pipeline", others, others},
    {"scatter_binomial", ceil_log2, others},
    {"gather_binomial", ceil_log2, others},
    {"all_gather_ring", others, others},
    {"reduce_scatter_ring", others, others},
    {"all_gather_hypercube", ceil_log2, others},
    {"reduce_scatter_hypercube", ceil_log2, others},
    {"all_gather_bruck", ceil_log2, others},
    {"broadcast_splitting_hypercube", [](int p) { return 2 * ceil_log2(p); }, twice_split},
    {"broadcast_splitting_ring", [](int p) { return ceil_log2(p) + p - 1; }, twice_split},
    {"all_reduce_doubling", [](int p) { return ceil_log2(below(p)) + fold(p); },
     [](int p) { return ceil_log2(below(p)) + fold(p); }},
    {"all_reduce_rabenseifner", [](int p) { return 2 * ceil_log2(below(p)) + fold(p); },
     [](int p) { return twice_split(below(p)) + fold(p); }},
    {"all_reduce_ring", [](int p) { return 2 * (p - 1); }, twice_split},
    {"scan_hypercube", ceil_log2, ceil_log2},
    {"scan_hillis_steele", ceil_log2, ceil_log2},
    {"all_to_all_ring", others, [](int p) { return p * (p - 1) / 2.0; }},
    {"all_to_all_hypercube", ceil_log2, [](int p) { return p / 2.0 * ceil_log2(p); }},
    {"all_to_all_e_cube", others, others},
    {"all_to_all_pairwise", others, others},
    {"all_to_all_bruck", ceil_log2, bits},
    {"circular_shift_direct", [](int p) { return p > 1; }, [](int p) { return p > 1; }},
    {"barrier_dissemination", ceil_log2, [](int) { return 0; }},
};

}  // namespace

TEST_CASE("8.1: steps and words for any p") {
  for (const Form& form : forms)
    for (int p = 1; p <= 1024; ++p) {
      const Parameters parameters{.nodes = p, .shift = 1};
      if (why_not(algorithm(form.algorithm), parameters)) continue;
      CAPTURE(form.algorithm);
      CAPTURE(p);
      const Cost cost = algorithm(form.algorithm).cost(parameters);
      CHECK(cost.startups == form.steps(p));
      CHECK(cost.words == doctest::Approx(form.words(p)));
    }
}

TEST_CASE("8.1: steps and words on r rows and c columns") {
  for (int r = 1; r <= 12; ++r)
    for (int c = 1; c <= 12; ++c) {
      const int p = r * c, doubling = ceil_log2(r) + ceil_log2(c), rings = r + c - 2;
      const double personalized = p * (c - 1) / 2.0 + p * (r - 1) / 2.0;
      CAPTURE(r);
      CAPTURE(c);
      const auto costs = [&](const char* name, double steps, double words) {
        CAPTURE(name);
        const Cost cost = algorithm(name).cost({.nodes = p, .extents = {r, c}});
        CHECK(cost.startups == steps);
        CHECK(cost.words == doctest::Approx(words));
      };
      costs("broadcast_mesh", doubling, doubling);
      costs("all_gather_mesh", rings, p - 1);
      costs("reduce_scatter_mesh", rings, p - 1);
      costs("broadcast_splitting_mesh", doubling + rings, twice_split(p));
      costs("reduce_splitting_mesh", doubling + rings, twice_split(p));
      costs("all_to_all_mesh", rings, personalized);
    }
}
