// Tests docs/collectives.md 8: rows of its tables, variants of the textbooks beside them, and the loads
// of 1.2.
#include <array>
#include <bit>
#include <doctest/doctest.h>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <vnode/lab/link_loads.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/compose.hpp>
#include <vnode/model/verify.hpp>

#include "building_blocks/repeats.hpp"
#include "collective/folded.hpp"
#include "load_row.hpp"

using namespace vnode;

namespace {

// Textbooks have three of them otherwise, which are further below (8.6).
constexpr Row rows[] = {
    {"broadcast_linear", 6, 5, 5, {1, 1, 1, 0}, {5, 5, 5, 0}},
    {"broadcast_binomial", 6, 3, 3, {1, 1, 1, 0}, {3, 3, 3, 0}},
    {"broadcast_mesh", 6, 3, 3, {3, 3, 1, 0}, {5, 5, 3, 0}},
    {"scatter_binomial", 6, 3, 5, {1, 1, 1, 0}, {5, 5, 5, 0}},
    {"all_gather_ring", 6, 5, 5, {1, 1, 1, 0}, {5, 5, 5, 0}},
    {"all_gather_mesh", 6, 3, 5, {3, 3, 1, 0}, {11, 11, 5, 0}},
    {"all_gather_bruck", 6, 3, 5, {2, 2, 1, 0}, {9, 9, 5, 0}},
    {"broadcast_splitting_ring", 6, 8, 5 / 3., {1, 1, 1, 0}, {5 / 3., 5 / 3., 5 / 3., 0}},
    {"broadcast_splitting_mesh", 6, 6, 5 / 3., {3, 3, 1, 0}, {8 / 3., 8 / 3., 5 / 3., 0}},
    {"all_reduce_doubling", 6, 4, 4, {2, 2, 1, 0}, {5, 5, 4, 0}},
    {"all_reduce_rabenseifner", 6, 6, 7 / 2., {2, 2, 1, 0}, {4, 4, 7 / 2., 0}},
    {"all_reduce_ring", 6, 10, 5 / 3., {1, 1, 1, 0}, {5 / 3., 5 / 3., 5 / 3., 0}},
    {"all_to_all_ring", 6, 5, 15, {1, 1, 1, 0}, {15, 15, 15, 0}},
    {"all_to_all_mesh", 6, 3, 9, {3, 3, 1, 0}, {15, 15, 9, 0}},
    {"all_to_all_pairwise", 6, 5, 5, {3, 3, 1, 0}, {9, 9, 5, 0}},
    {"all_to_all_bruck", 6, 3, 7, {2, 2, 1, 0}, {11, 11, 7, 0}},
    {"circular_shift_ring", 6, 1, 1, {1, 1, 1, 0}, {1, 1, 1, 0}},
    {"circular_shift_mesh", 6, 2, 2, {1, 1, 1, 0}, {2, 2, 2, 0}},
    {"circular_shift_direct", 6, 1, 1, {1, 1, 1, 0}, {1, 1, 1, 0}},
    {"broadcast_linear", 8, 7, 7, {1, 1, 1, 1}, {7, 7, 7, 7}},
    {"broadcast_doubling", 8, 3, 3, {1, 1, 1, 1}, {3, 3, 3, 3}},
    {"broadcast_low_bit_first", 8, 3, 3, {4, 4, 2, 1}, {7, 7, 4, 3}},
    {"broadcast_binomial", 8, 3, 3, {1, 1, 1, 1}, {3, 3, 3, 3}},
    {"broadcast_mesh", 8, 3, 3, {4, 4, 1, 1}, {6, 6, 3, 3}},
    {"scatter_hypercube", 8, 3, 7, {1, 1, 1, 1}, {7, 7, 7, 7}},
    {"scatter_binomial", 8, 3, 7, {1, 1, 1, 1}, {7, 7, 7, 7}},
    {"all_gather_ring", 8, 7, 7, {1, 1, 1, 1}, {7, 7, 7, 7}},
    {"all_gather_mesh", 8, 4, 7, {4, 4, 1, 1}, {19, 19, 7, 7}},
    {"all_gather_hypercube", 8, 3, 7, {4, 4, 2, 1}, {21, 21, 9, 7}},
    {"all_gather_bruck", 8, 3, 7, {4, 4, 2, 1}, {21, 21, 9, 7}},
    {"broadcast_splitting_hypercube", 8, 6, 7 / 4., {4, 4, 2, 1}, {7 / 2., 7 / 2., 2, 7 / 4.}},
    {"broadcast_splitting_ring", 8, 10, 7 / 4., {1, 1, 1, 1}, {7 / 4., 7 / 4., 7 / 4., 7 / 4.}},
    {"broadcast_splitting_mesh", 8, 7, 7 / 4., {4, 4, 1, 1}, {13 / 4., 13 / 4., 7 / 4., 7 / 4.}},
    {"all_reduce_doubling", 8, 3, 3, {4, 4, 2, 1}, {7, 7, 4, 3}},
    {"all_reduce_rabenseifner", 8, 6, 7 / 4., {4, 4, 2, 1}, {3, 3, 9 / 4., 7 / 4.}},
    {"all_reduce_ring", 8, 14, 7 / 4., {1, 1, 1, 1}, {7 / 4., 7 / 4., 7 / 4., 7 / 4.}},
    {"all_to_all_ring", 8, 7, 28, {1, 1, 1, 1}, {28, 28, 28, 28}},
    {"all_to_all_mesh", 8, 4, 16, {4, 4, 1, 1}, {28, 28, 16, 16}},
    {"all_to_all_hypercube", 8, 3, 12, {4, 4, 2, 1}, {28, 28, 16, 12}},
    {"all_to_all_e_cube", 8, 7, 7, {4, 4, 2, 1}, {21, 15, 11, 7}},
    {"all_to_all_pairwise", 8, 7, 7, {4, 4, 2, 1}, {16, 16, 9, 7}},
    {"all_to_all_bruck", 8, 3, 12, {4, 4, 2, 1}, {28, 28, 16, 12}},
    {"circular_shift_ring", 8, 3, 3, {1, 1, 1, 1}, {3, 3, 3, 3}},
    {"circular_shift_mesh", 8, 2, 2, {3, 3, 1, 1}, {4, 4, 2, 2}},
    {"circular_shift_direct", 8, 1, 1, {3, 3, 1, 1}, {3, 3, 1, 1}},
    {"broadcast_linear", 16, 15, 15, {1, 1, 1, 1}, {15, 15, 15, 15}},
    {"broadcast_doubling", 16, 4, 4, {1, 1, 1, 1}, {4, 4, 4, 4}},
    {"broadcast_low_bit_first", 16, 4, 4, {8, 8, 2, 1}, {15, 15, 6, 4}},
    {"broadcast_binomial", 16, 4, 4, {1, 1, 1, 1}, {4, 4, 4, 4}},
    {"broadcast_mesh", 16, 4, 4, {4, 4, 1, 1}, {10, 10, 4, 4}},
    {"scatter_hypercube", 16, 4, 15, {1, 1, 1, 1}, {15, 15, 15, 15}},
    {"scatter_binomial", 16, 4, 15, {1, 1, 1, 1}, {15, 15, 15, 15}},
    {"all_gather_ring", 16, 15, 15, {1, 1, 1, 1}, {15, 15, 15, 15}},
    {"all_gather_mesh", 16, 6, 15, {4, 4, 1, 1}, {51, 51, 15, 15}},
    {"all_gather_hypercube", 16, 4, 15, {8, 8, 2, 1}, {85, 85, 25, 15}},
    {"all_gather_bruck", 16, 4, 15, {8, 8, 2, 1}, {85, 85, 25, 15}},
    {"broadcast_splitting_hypercube", 16, 8, 15 / 8., {8, 8, 2, 1}, {25 / 4., 25 / 4., 5 / 2., 15 / 8.}},
    {"broadcast_splitting_ring", 16, 19, 15 / 8., {1, 1, 1, 1}, {15 / 8., 15 / 8., 15 / 8., 15 / 8.}},
    {"broadcast_splitting_mesh", 16, 10, 15 / 8., {4, 4, 1, 1}, {33 / 8., 33 / 8., 15 / 8., 15 / 8.}},
    {"all_reduce_doubling", 16, 4, 4, {8, 8, 2, 1}, {15, 15, 6, 4}},
    {"all_reduce_rabenseifner", 16, 8, 15 / 8., {8, 8, 2, 1}, {4, 4, 5 / 2., 15 / 8.}},
    {"all_reduce_ring", 16, 30, 15 / 8., {1, 1, 1, 1}, {15 / 8., 15 / 8., 15 / 8., 15 / 8.}},
    {"all_to_all_ring", 16, 15, 120, {1, 1, 1, 1}, {120, 120, 120, 120}},
    {"all_to_all_mesh", 16, 6, 48, {4, 4, 1, 1}, {120, 120, 48, 48}},
    {"all_to_all_hypercube", 16, 4, 32, {8, 8, 2, 1}, {120, 120, 48, 32}},
    {"all_to_all_e_cube", 16, 15, 15, {8, 8, 2, 1}, {85, 57, 27, 15}},
    {"all_to_all_pairwise", 16, 15, 15, {8, 8, 2, 1}, {64, 64, 24, 15}},
    {"all_to_all_bruck", 16, 4, 32, {8, 8, 2, 1}, {120, 120, 48, 32}},
    {"circular_shift_ring", 16, 5, 5, {1, 1, 1, 1}, {5, 5, 5, 5}},
    {"circular_shift_mesh", 16, 3, 3, {4, 4, 1, 1}, {6, 6, 3, 3}},
    {"circular_shift_direct", 16, 1, 1, {5, 5, 2, 1}, {5, 5, 2, 1}},
};

}  // namespace

TEST_CASE("section 8: steps, words, loads and scaled words") {
  for (const Row& row : rows) {
    const Parameters parameters = {.nodes = row.nodes, .extents = extents(row.nodes), .shift = 5};
    const Schedule schedule = built(row.algorithm, parameters);
    check(row, schedule, message_blocks(row.algorithm, parameters, schedule));
  }
}

TEST_CASE(
    "section 8: scatter-collect on 6 nodes takes 11/6 with the tree of recursive splitting (5.6, 5.8)") {
  const Parameters parameters{.nodes = 6};
  const Schedule schedule = split_broadcast(built("scatter_recursive_splitting", parameters),
                                            built("all_gather_ring", parameters), 0);
  CHECK(verify(schedule, broadcast_contract(6, 6, 0)).empty());
  check({"recursive splitting", 6, 8, 11 / 6., {1, 1, 1, 0}, {11 / 6., 11 / 6., 11 / 6., 0}}, schedule, 6);
}

TEST_CASE(
    "section 8: Rabenseifner's words go far where distances halve, as in 4.8; ours double, in rank order") {
  const Row halving[] = {
      {"distances halve", 6, 6, 7 / 2., {2, 2, 1, 0}, {9 / 2., 9 / 2., 7 / 2., 0}},
      {"distances halve", 8, 6, 7 / 4., {4, 4, 2, 1}, {21 / 4., 21 / 4., 9 / 4., 7 / 4.}},
      {"distances halve", 16, 8, 15 / 8., {8, 8, 2, 1}, {85 / 8., 85 / 8., 25 / 8., 15 / 8.}},
  };
  for (const Row& row : halving) {
    const Fold fold(row.nodes);
    const Parameters survivors{.nodes = fold.survivors};
    const Schedule schedule = fold.around(compose::then(built("reduce_scatter_hypercube", survivors),
                                                        built("all_gather_hypercube", survivors)));
    CHECK(verify(schedule, all_reduce_contract(row.nodes, fold.survivors)).empty());
    check(row, schedule, fold.survivors);
  }
}

TEST_CASE("section 8: the shift by 5 on a mesh of two rows takes 3 rounds as in the book") {
  const Row book[] = {{"rows, compensation, columns", 6, 3, 3, {3, 3, 1, 0}, {6, 6, 3, 0}},
                      {"rows, compensation, columns", 8, 3, 3, {4, 4, 1, 1}, {6, 6, 3, 3}}};
  for (const Row& row : book) {
    const int p = row.nodes, c = extents(p)[1], a = 5 % c;
    Schedule schedule(p, p);
    std::vector<Rank> at(static_cast<std::size_t>(p));  // by packet
    std::iota(at.begin(), at.end(), 0);
    const auto move = [&](const auto& next) {
      Round& round = schedule.next_round();
      for (int packet = 0; packet < p; ++packet) {
        const Rank from = std::exchange(at[std::size_t(packet)], next(at[std::size_t(packet)]));
        if (at[std::size_t(packet)] != from)
          round.push_back({from, at[std::size_t(packet)], schedule.block(packet)});
      }
    };
    move([=](Rank rank) { return rank - rank % c + (rank + (a == 1 ? 1 : c - 1)) % c; });
    move([=](Rank rank) { return rank % c < a ? (rank + c) % p : rank; });
    move([=](Rank rank) { return (rank + c) % p; });
    for (int packet = 0; packet < p; ++packet) CHECK(at[std::size_t(packet)] == (packet + 5) % p);
    check(row, schedule, 1);
    // On two rows the column shift takes packets back to where they have been.
    for (const std::string& finding : verify(schedule, circular_shift_contract(p, p, 5)))
      CHECK(finding.ends_with("which is there already"));
  }
}

TEST_CASE("section 8: all ports of a hypercube, one message per link and round") {
  struct AllPortRow {
    const char* algorithm;
    int nodes;
    double steps, words;
  };
  constexpr AllPortRow table[] = {
      {"broadcast_rotated", 8, 3, 1},      {"all_gather_rotated", 8, 3, 7 / 3.},
      {"scatter_rotated", 8, 3, 7 / 3.},   {"all_to_all_rotated", 8, 3, 4},
      {"broadcast_rotated", 16, 4, 1},     {"all_gather_rotated", 16, 4, 15 / 4.},
      {"scatter_rotated", 16, 4, 15 / 4.}, {"all_to_all_rotated", 16, 4, 8},
      {"reduce_rotated", 16, 4, 1},        {"reduce_scatter_rotated", 16, 4, 15 / 4.},
      {"gather_rotated", 16, 4, 15 / 4.},  {"all_reduce_rotated", 16, 4, 1},
  };
  for (const AllPortRow& row : table) {
    CAPTURE(row.algorithm);
    const Parameters parameters{.nodes = row.nodes};
    const Schedule schedule = built(row.algorithm, parameters);
    const int m = message_blocks(row.algorithm, parameters, schedule);
    const std::vector<RoundLoad> loads =
        link_loads(schedule, Topology(shapes::hypercube{}, row.nodes), Routing::ecube);
    CHECK(double(loads.size()) == row.steps);
    CHECK(step_synchronous_cost(schedule, m).words == row.words);
    CHECK(greatest_load(loads) == 1);
    CHECK(scaled_words(loads, m) == row.words);
  }
}

TEST_CASE(
    "section 8: a reduction has the steps and words of its dual, and its loads where ways back are ways") {
  struct Pair {
    const char *algorithm, *dual;
  };
  constexpr Pair pairs[] = {{"broadcast_linear", "reduce_linear"},
                            {"broadcast_doubling", "reduce_doubling"},
                            {"broadcast_binomial", "reduce_binomial"},
                            {"broadcast_mesh", "reduce_mesh"},
                            {"scatter_hypercube", "gather_hypercube"},
                            {"scatter_binomial", "gather_binomial"},
                            {"all_gather_ring", "reduce_scatter_ring"},
                            {"all_gather_mesh", "reduce_scatter_mesh"},
                            {"all_gather_hypercube", "reduce_scatter_hypercube"},
                            {"all_gather_bruck", "reduce_scatter_bruck"}};
  for (const Row& row : rows)
    for (const auto& [name, dual] : pairs) {
      if (std::string_view(row.algorithm) != name) continue;
      Row reversed = row;
      reversed.algorithm = dual;
      reversed.loads[2] = unknown;
      const Parameters parameters = {.nodes = row.nodes, .extents = extents(row.nodes)};
      const Schedule schedule = built(dual, parameters);
      check(reversed, schedule, message_blocks(dual, parameters, schedule));
    }
}

TEST_CASE(
    "1.2 and 1.7: low bit first has loads 1, 2, 4 on a line and on a tree of eight, and on all sizes 2^i") {
  for (const int nodes : {8, 16, 32})
    for (const Topology& topology : {Topology(shapes::array{}, nodes), Topology(shapes::tree{}, nodes)}) {
      const Schedule schedule = algorithm("broadcast_low_bit_first").build({.nodes = nodes});
      const std::vector<RoundLoad> loads = link_loads(schedule, topology, topology.default_routing());
      for (std::size_t i = 0; i < loads.size(); ++i) CHECK(loads[i].messages == 1 << i);
      CHECK(scaled_words(loads, 1) == nodes - 1);
    }
}

TEST_CASE("8.1: low bit first on a mesh is scaled to r + c - 2") {
  for (const auto& [r, c] : {std::pair{2, 4}, {4, 4}, {4, 8}, {8, 8}}) {
    const Schedule schedule = algorithm("broadcast_low_bit_first").build({.nodes = r * c});
    CHECK(scaled_words(link_loads(schedule, Topology(shapes::mesh{r, c}, r * c), Routing::xy), 1) ==
          r + c - 2);
  }
}
