// Tests circular shifts, docs/collectives.md 2.6.
#include <bit>
#include <doctest/doctest.h>

#include <vnode/collective.hpp>
#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/compose.hpp>
#include <vnode/model/gray_code.hpp>

#include "built.hpp"

using namespace vnode;

namespace {

// Round by round, how many blocks move.
std::vector<std::size_t> moves(const Schedule& schedule) {
  std::vector<std::size_t> list;
  for (const Round& round : schedule.rounds()) list.push_back(round.size());
  return list;
}

int longest_way(const Schedule& schedule, const Topology& topology) {
  int longest = 0;
  for (const Round& round : schedule.rounds())
    for (const Transfer& t : round) longest = std::max(longest, topology.distance(t.from, t.to));
  return longest;
}

// gamma(q): the largest j with 2^j | q.
int gamma(int q) { return std::countr_zero(unsigned(q)); }

}  // namespace

TEST_CASE("2.6: all algorithms take the shift mod p, of either sign") {
  for (const char* name : {"ring", "mesh", "hypercube", "gray", "direct"}) {
    const auto shifted = [&](int q) {
      return built(std::string("circular_shift_") + name, {.nodes = 8, .extents = {2, 4}, .shift = q});
    };
    for (int q = 0; q < 8; ++q)
      for (const int turns : {-3, -1, 1, 100}) CHECK(shifted(q + 8 * turns) == shifted(q));
    for (const int none : {0, 8, -8}) CHECK(shifted(none).rounds().empty());
  }
}

TEST_CASE("2.6: a ring goes the shorter way round, right in doubt") {
  CHECK(picture(built("circular_shift_ring", {.nodes = 3, .shift = 2})) == "1: 0>2[0] 1>0[1] 2>1[2]");
  CHECK(picture(built("circular_shift_ring", {.nodes = 4, .shift = 2})) ==
        "1: 0>1[0] 1>2[1] 2>3[2] 3>0[3]; 2: 0>1[3] 1>2[0] 2>3[1] 3>0[2]");
}

TEST_CASE("2.6: a 5-shift on 4x4 is a row shift, a compensating column shift, a column shift") {
  const Schedule schedule = built("circular_shift_mesh", {.nodes = 16, .extents = {4, 4}, .shift = 5});
  CHECK(moves(schedule) == std::vector<std::size_t>{16, 4, 16});
  for (const Transfer& t : schedule.rounds()[1]) CHECK(t.from % 4 == 0);
}

TEST_CASE("2.6: a 3-shift on 4x4 needs more than one row shift back: columns 0 to 2 are compensated") {
  const Schedule schedule = built("circular_shift_mesh", {.nodes = 16, .extents = {4, 4}, .shift = 3});
  CHECK(moves(schedule) == std::vector<std::size_t>{16, 12});
  for (const Transfer& t : schedule.rounds()[1]) CHECK(t.from % 4 < 3);
}

TEST_CASE("2.6: the book's rounds on any mesh, less the compensating one where columns shift back") {
  for (int r = 1; r <= 8; ++r)
    for (int c = 1; c <= 8; ++c)
      for (int q = 0; q < r * c; ++q) {
        CAPTURE(r);
        CAPTURE(c);
        CAPTURE(q);
        const int a = q % c, b = q / c;
        const int book = std::min(a, c - a) + (a != 0) + std::min(b, r - b);
        const bool compensated_in_vain = a != 0 && (r == 1 || r - b <= b);
        const auto rounds = int(
            built("circular_shift_mesh", {.nodes = r * c, .extents = {r, c}, .shift = q}).rounds().size());
        CHECK(rounds == book - compensated_in_vain);
        if (r == c && c % 2 == 0) CHECK(rounds <= c + 1);
      }
}

TEST_CASE("2.6: on a hypercube every message of the shift is one hop, for log2 p - gamma(q) rounds") {
  for (const int p : {2, 4, 8, 16, 32, 64})
    for (int q = 1; q < p; ++q) {
      const Schedule schedule = built("circular_shift_hypercube", {.nodes = p, .shift = q});
      CHECK(longest_way(schedule, Topology(shapes::hypercube{}, p)) == 1);
      CHECK(int(schedule.rounds().size()) == std::countr_zero(unsigned(p)) - gamma(q));
    }
}

TEST_CASE(
    "2.6: with ring positions on Gray codes, leaps by powers of two take single hops, crowding nothing") {
  for (const int p : {2, 4, 8, 16, 32, 64}) {
    std::vector<Rank> codes;
    for (int position = 0; position < p; ++position) codes.push_back(gray_encode(position));
    const Topology cube(shapes::hypercube{}, p);
    for (int q = 1; q < p; ++q) {
      const Schedule shift = built("circular_shift_gray", {.nodes = p, .shift = q});
      const Schedule placed = compose::relabelled(shift, codes);
      CHECK(longest_way(placed, cube) == 1);
      CHECK(greatest_load(link_loads(placed, cube, Routing::ecube)) == 1);
      CHECK(int(shift.rounds().size()) <= 2 * std::countr_zero(unsigned(p)) - 1);
      if (std::has_single_bit(unsigned(q))) CHECK(shift.rounds().size() == (q == 1 ? 1 : 2));
    }
  }
}

TEST_CASE(
    "2.6: by E-cube no two blocks of a direct shift share a link; the longest way is log2 p - gamma(q)") {
  for (const int p : {2, 4, 8, 16, 32, 64})
    for (int q = 1; q < p; ++q) {
      const Schedule schedule = built("circular_shift_direct", {.nodes = p, .shift = q});
      const Topology cube(shapes::hypercube{}, p);
      for (const Routing routing : {Routing::ecube, Routing::ecube_high})
        CHECK(greatest_load(link_loads(schedule, cube, routing)) == 1);
      CHECK(longest_way(schedule, cube) == std::countr_zero(unsigned(p)) - gamma(q));
    }
}
