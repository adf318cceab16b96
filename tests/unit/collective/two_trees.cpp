// Tests docs/collectives.md 6.4 and 7.5: the trees, their colours, and how long they take.
#include "building_blocks/two_trees.hpp"

#include <algorithm>
#include <bit>
#include <doctest/doctest.h>

#include <vnode/lab/link_loads.hpp>
#include <vnode/model/verify.hpp>

#include "building_blocks/formula.hpp"
#include "building_blocks/two_colouring.hpp"

using namespace vnode;

namespace {

constexpr Rank source = 0;

std::vector<Rank> parents(const PipelinedTrees& trees, int tree, int first, int last) {
  std::vector<Rank> list;
  for (Rank rank = first; rank < last; ++rank) list.push_back(trees.parent(tree, rank));
  return list;
}

PipelinedTrees below_a_source(int n, int segments = 4) {
  return two_trees({.nodes = n + 1, .segments = segments});
}

// Returns the colour of the edge to a node: 0 for that of the source to the first tree's top.
int colour(const PipelinedTrees& trees, int tree, Rank rank) { return trees.delay(tree, rank) % 2; }

// Returns the same trees with the colours of the walk along all edges.
PipelinedTrees walked(const PipelinedTrees& trees, int p) {
  std::array<Parents, 2> both;
  for (const int tree : {0, 1}) both[std::size_t(tree)] = parents(trees, tree, 0, p);
  return in_turn(both, 4);
}

// Checks the edges at each port, by direction and rank, as delays.
void check_ports(const PipelinedTrees& trees, int p) {
  for (Rank rank = 0; rank < p; ++rank) {
    std::vector<int> in, out;
    for (const int tree : {0, 1}) {
      if (trees.parent(tree, rank) != nobody) in.push_back(trees.delay(tree, rank));
      for (Rank child = 0; child < p; ++child)
        if (trees.parent(tree, child) == rank) out.push_back(trees.delay(tree, child));
    }
    for (const std::vector<int>& port : {in, out}) {
      REQUIRE(port.size() <= 2);
      if (port.size() == 2) CHECK(port[0] % 2 != port[1] % 2);
    }
  }
}

void check_spans(const PipelinedTrees& trees, int tree, Rank root, int p) {
  CHECK(trees.parent(tree, root) == nobody);
  for (Rank rank = 0; rank < p; ++rank) {
    int steps = 0;
    Rank at = rank;
    while (at != root && steps++ < p) at = trees.parent(tree, at);
    CHECK(at == root);
  }
}

}  // namespace

TEST_CASE("6.4: both trees of six, seven and fourteen nodes below a source") {
  const auto both = [](int n) {
    const PipelinedTrees trees = below_a_source(n);
    return std::array{parents(trees, 0, 1, n + 1), parents(trees, 1, 1, n + 1)};
  };
  CHECK(both(6) == std::array<Parents, 2>{{{2, 4, 2, source, 6, 4}, {3, 1, source, 5, 3, 5}}});
  CHECK(both(7) == std::array<Parents, 2>{{{2, 4, 2, source, 6, 4, 6}, {3, 1, source, 5, 3, 5, 1}}});
  CHECK(both(14) == std::array<Parents, 2>{{{2, 4, 2, 8, 6, 4, 6, source, 10, 12, 10, 8, 14, 12},
                                            {3, 1, 7, 5, 3, 5, source, 9, 11, 9, 7, 13, 11, 13}}});
}

TEST_CASE("6.4: the colours of six, seven and fourteen nodes below a source") {
  const auto colours = [](int n) {
    std::vector<int> list;
    for (int i = 1; i <= n; ++i) list.push_back(colour(below_a_source(n), 0, i));
    return list;
  };
  CHECK(colours(6) == std::vector{1, 0, 0, 0, 0, 1});
  CHECK(colours(7) == std::vector{1, 0, 0, 0, 0, 1, 1});
  CHECK(colours(14) == std::vector{0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0});
}

TEST_CASE("6.4: the O(log p) rule gives the colours that the walk along all edges gives") {
  for (int n = 1; n <= 129; ++n) {
    const PipelinedTrees trees = below_a_source(n), by_walk = walked(trees, n + 1);
    for (const int tree : {0, 1})
      for (int i = 1; i <= n; ++i) {
        CHECK(trees.delay(tree, i) == by_walk.delay(tree, i));
        if (n % 2 == 0) CHECK(by_walk.delay(tree, i) % 2 == (mirrored_colour(i, n) + tree) % 2);
      }
  }
}

TEST_CASE("all pairs of trees span all nodes, and no port has two edges of one colour") {
  for (int p = 3; p <= 130; ++p)
    for (const int segments : {1, 2, 5}) {
      const Parameters parameters{.nodes = p, .segments = segments};
      const Parameters in_order{.nodes = p, .keep_order = true, .segments = segments};
      for (const PipelinedTrees& trees :
           {two_trees(parameters), two_trees(in_order), shifted_two_trees(parameters),
            shifted_two_trees(in_order), double_binary_trees(parameters)}) {
        check_ports(trees, p);
        check_spans(trees, 0, 0, p);
      }
      if (segments == 1) continue;
      check_spans(two_trees(parameters), 1, 0, p);
      check_spans(two_trees(in_order), 1, 0, p);
      check_spans(shifted_two_trees(parameters), 1, 0, p);
      check_spans(shifted_two_trees(in_order), 1, 0, p);
      check_spans(double_binary_trees(parameters), 1, p % 2 == 0 ? p - 1 : 1, p);
    }
}

TEST_CASE("6.4: k segments, be they even or odd, take at most k + 2 ceil(log2 p) - 2 rounds") {
  const auto rounds = [](int p, int k) { return below_a_source(p - 1, k).rounds(); };
  for (const int k : {4, 16}) {
    CHECK(rounds(6, k) == k + 3);
    CHECK(rounds(8, k) == k + 4);
    CHECK(rounds(12, k) == k + 6);
    CHECK(shifted_two_trees({.nodes = 12, .segments = k}).rounds() == k + 5);
    CHECK(rounds(16, k) == k + 6);
    CHECK(rounds(64, k) == k + 10);
  }
  for (int p = 2; p <= 130; ++p)
    for (const int k : {1, 2, 3, 4, 7, 16})
      for (const bool keep_order : {false, true}) {
        const Parameters parameters{.nodes = p, .keep_order = keep_order, .segments = k};
        CAPTURE(p);
        CAPTURE(k);
        CAPTURE(keep_order);
        const int dearer = keep_order && k > 1;  // at most, as all_reduce_two_tree says
        CHECK(two_trees(parameters).rounds() <= k + 2 * ceil_log2(p) - 2 + dearer);
        CHECK(shifted_two_trees(parameters).rounds() <= k + 2 * ceil_log2(p) - 2 + dearer);
      }
}

TEST_CASE("no round of a pipeline is empty") {
  for (int p = 2; p <= 130; ++p)
    for (const int segments : {1, 2, 3, 6, 17})
      for (const bool keep_order : {false, true}) {
        const Parameters parameters{.nodes = p, .keep_order = keep_order, .segments = segments};
        for (const PipelinedTrees& trees :
             {two_trees(parameters), shifted_two_trees(parameters), double_binary_trees(parameters)}) {
          const Schedule schedule = trees.broadcast();
          CHECK(std::ranges::none_of(schedule.rounds(), [](const Round& round) { return round.empty(); }));
          CHECK(schedule.rounds().size() == std::size_t(trees.rounds()));
        }
      }
}

TEST_CASE("7.5: NCCL's trees of eight and thirteen nodes") {
  const auto both = [](int p) {
    const PipelinedTrees trees = double_binary_trees({.nodes = p, .segments = 2});
    return std::array{parents(trees, 0, 0, p), parents(trees, 1, 0, p)};
  };
  CHECK(both(8) == std::array<Parents, 2>{{{nobody, 2, 4, 2, 0, 6, 4, 6}, {1, 3, 1, 7, 5, 3, 5, nobody}}});
  CHECK(both(13) == std::array<Parents, 2>{{{nobody, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8},
                                            {9, nobody, 3, 5, 3, 9, 7, 5, 7, 1, 11, 0, 11}}});
}
