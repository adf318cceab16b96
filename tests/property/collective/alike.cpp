// Of algorithms whose nodes are alike every node builds its own part.
#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/model/algorithms.hpp>
#include <vnode/model/compose.hpp>

#include "building_blocks/needs.hpp"

using namespace vnode;

namespace {

/// Returns what is wrong with the part of a node; empty: nothing.
std::string wrong_part(const Schedule& whole, const Schedule& part, Rank rank) {
  if (part.nodes() != whole.nodes() || part.blocks() != whole.blocks()) return "another shape";
  if (part.rounds().size() != whole.rounds().size()) return "other rounds";
  for (std::size_t i = 0; i < whole.rounds().size(); ++i) {
    auto next = part.rounds()[i].begin();
    const auto end = part.rounds()[i].end();
    for (const Transfer& t : whole.rounds()[i]) {
      if (t.from != rank && t.to != rank) continue;
      if (next == end) return "too few transfers";
      const bool same = next->from == t.from && next->to == t.to && next->effect == t.effect &&
                        std::ranges::equal(part.intervals(next->what), whole.intervals(t.what)) &&
                        std::ranges::equal(part.intervals(next->into), whole.intervals(t.into));
      if (!same) return "another transfer";
      ++next;
    }
    if (next != end) return "too many transfers";
  }
  return "";
}

std::vector<int> sizes() {
  std::vector<int> list{43, 54, 65};
  for (int nodes = 1; nodes <= 32; ++nodes) list.push_back(nodes);
  return list;
}

}

TEST_CASE("the part of a node is what the whole schedule has of it, in the same rounds and order") {
  int looked_at = 0;
  for (const Algorithm& algorithm : algorithms())
    for (const int nodes : sizes())
      for (const bool keep_order : {false, true}) {
        Parameters told{.nodes = nodes, .keep_order = keep_order};
        if (!alike(algorithm, told) || why_not(algorithm, told)) continue;
        const Schedule whole = algorithm.build(told);
        for (Rank rank = 0; rank < nodes; ++rank) {
          told.only = rank;
          CAPTURE(algorithm.name);
          CAPTURE(nodes);
          CAPTURE(rank);
          REQUIRE(wrong_part(whole, algorithm.build(told), rank) == "");
          REQUIRE(
              contract(algorithm.collective, told, whole.blocks()).shares[static_cast<std::size_t>(rank)] ==
              contract(algorithm.collective, {.nodes = nodes}, whole.blocks())
                  .shares[static_cast<std::size_t>(rank)]);
          ++looked_at;
        }
      }
  CHECK(looked_at > 10000);
}

TEST_CASE("reductions that build the part of a node are the duals of what they are reversed from") {
  for (const std::string name : {"direct", "ring"})
    for (const int nodes : sizes()) {
      CAPTURE(name);
      CAPTURE(nodes);
      const Parameters told{.nodes = nodes};
      REQUIRE(algorithm("reduce_scatter_" + name).build(told) ==
              compose::dual(algorithm("all_gather_" + name).build(told)));
    }
}
