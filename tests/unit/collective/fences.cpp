// Tests docs/collectives.md 5.7: two pipelines on edge-disjoint fences.

#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <tuple>

#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "interconnect/link_loads.hpp"

using namespace vnode;

namespace {

// By round: sender, receiver and block.
using Rounds = std::vector<std::set<std::tuple<Rank, Rank, int>>>;

Rounds rounds(const Schedule& schedule) {
  Rounds list;
  for (const Round& round : schedule.rounds()) {
    list.emplace_back();
    for (const Transfer& t : round)
      list.back().insert({t.from, t.to, schedule.intervals(t.what).front().first});
  }
  return list;
}

}  // namespace

TEST_CASE("5.7: two segments on 2x3 from 0") {
  const Schedule text = schedule_from_text(
      "nodes 6 blocks 2\n1: 0>1[0]\n2: 0>3[1] 1>2[0]\n3: 1>4[0] 2>3[0]\n4: 2>5[0] 3>4[1]\n5: 4>5[1]\n"
      "6: 4>1[1]\n7: 5>2[1]\n");
  const Parameters parameters{.nodes = 6, .extents = {2, 3}, .segments = 2};
  CHECK(rounds(algorithm("broadcast_fences").build(parameters)) == rounds(text));
}

TEST_CASE("5.7: r + c + k rounds where r and c are even, one less at most where they are not") {
  for (int r = 2; r <= 8; ++r)
    for (int c = 2; c <= 8; ++c)
      for (int k = 1; k <= 9; ++k) {
        CAPTURE(r);
        CAPTURE(c);
        CAPTURE(k);
        const Parameters parameters{.nodes = r * c, .root = r, .extents = {r, c}, .segments = k};
        const int taken = static_cast<int>(algorithm("broadcast_fences").build(parameters).rounds().size());
        if (r % 2 == 0 && c % 2 == 0) CHECK(taken == r + c + k);
        CHECK(taken <= r + c + k);
        if (k > 1) CHECK(taken >= r + c + k - 1);
        CHECK(algorithm("broadcast_fences").cost(parameters).startups == taken);
      }
}

TEST_CASE("5.7: no link of a mesh is used twice in a round, from any root") {
  for (int r = 2; r <= 8; ++r)
    for (int c = 2; c <= 8; ++c) {
      LinkLoads links(Topology(shapes::mesh{r, c}, r * c), Routing::xy);
      for (Rank root = 0; root < r * c; ++root) {
        const Parameters parameters{.nodes = r * c, .root = root, .extents = {r, c}, .segments = 4};
        CHECK(greatest_load(links.of(algorithm("broadcast_fences").build(parameters))) == 1);
        CHECK(greatest_load(links.of(algorithm("reduce_fences").build(parameters))) == 1);
      }
    }
}

TEST_CASE("5.7: the fences have no edge in common, and no node sends along more than two") {
  for (int r = 2; r <= 8; ++r)
    for (int c = 2; c <= 8; ++c) {
      const int p = r * c;
      const Schedule schedule =  // a segment down either fence
          algorithm("broadcast_fences").build({.nodes = p, .root = p - 1, .extents = {r, c}, .segments = 2});
      std::vector<std::set<Rank>> below(static_cast<std::size_t>(p));
      for (const Round& round : schedule.rounds())
        for (const Transfer& transfer : round)
          CHECK(below[static_cast<std::size_t>(transfer.from)].insert(transfer.to).second);
      CHECK(std::ranges::all_of(below, [](const std::set<Rank>& list) { return list.size() <= 2; }));
    }
}

TEST_CASE("fences need rows and columns") {
  const auto reason = [](const Parameters& parameters) {
    return why_not(algorithm("broadcast_fences"), parameters).value_or("can run");
  };
  CHECK(reason({.nodes = 6, .extents = {2, 3}}) == "can run");
  CHECK(reason({.nodes = 6, .extents = {1, 6}}) == "needs two extents of at least 2, not 1x6");
  CHECK(reason({.nodes = 8, .extents = {2, 2, 2}}) == "needs two extents of at least 2, not 2x2x2");
  CHECK(reason({.nodes = 6}) == "needs the extents of a mesh, and there are none");
  CHECK(reason({.nodes = 1, .extents = {1, 1}}) == "can run");
}
