// Tests scatters, gathers, all-to-alls and k-nomial trees, docs/collectives.md 2.4, 2.5, 7.2 and 7.4.
#include <doctest/doctest.h>
#include <map>

#include <vnode/lab/link_loads.hpp>
#include <vnode/model/algorithms.hpp>
#include <vnode/model/compose.hpp>

#include "built.hpp"

using namespace vnode;

namespace {

// Round by round, the blocks of the largest message.
std::vector<int> sizes(const Schedule& schedule) {
  std::vector<int> list;
  for (const Round& round : schedule.rounds()) {
    int largest = 0;
    for (const Transfer& t : round) largest = std::max(largest, schedule.count(t.what));
    list.push_back(largest);
  }
  return list;
}

// Returns who sends to whom, round by round.
std::vector<std::vector<std::pair<Rank, Rank>>> pairs(const Schedule& schedule) {
  std::vector<std::vector<std::pair<Rank, Rank>>> list;
  for (const Round& round : schedule.rounds()) {
    list.emplace_back();
    for (const Transfer& t : round) list.back().emplace_back(t.from, t.to);
  }
  return list;
}

int load(const Schedule& schedule, const Topology& topology, Routing routing) {
  return greatest_load(link_loads(schedule, topology, routing));
}

}  // namespace

TEST_CASE("2.4: the scatter on a hypercube halves the message, its reversal gathers") {
  CHECK(drawn("scatter_hypercube", {.nodes = 8}) ==
        "1: 0>4[4-7]; 2: 0>2[2-3] 4>6[6-7]; 3: 0>1[1] 2>3[3] 4>5[5] 6>7[7]");
  CHECK(drawn("gather_hypercube", {.nodes = 8}) ==
        "1: 1>0[1] 3>2[3] 5>4[5] 7>6[7]; 2: 2>0[2-3] 6>4[6-7]; 3: 4>0[4-7]");
}

TEST_CASE("2.4: another root is reached by XOR") {
  CHECK(drawn("scatter_hypercube", {.nodes = 4, .root = 2}) == "1: 2>0[0-1]; 2: 2>3[3] 0>1[1]");
}

TEST_CASE("2.4: for any p the child at distance d gets the blocks of d ranks, or of those there are") {
  CHECK(drawn("scatter_binomial", {.nodes = 6}) == "1: 0>4[4-5]; 2: 0>2[2-3]; 3: 0>1[1] 2>3[3] 4>5[5]");
  CHECK(drawn("scatter_binomial", {.nodes = 5, .root = 3}) == "1: 3>2[2]; 2: 3>0[0-1]; 3: 3>4[4] 0>1[1]");
}

TEST_CASE("2.4: trees of all shapes take p - 1 blocks from the root and bring it as many") {
  for (const char* name : {"linear", "hypercube", "binomial", "mesh", "k_nomial", "direct"})
    for (Rank root = 0; root < 16; ++root) {
      const Parameters parameters{.nodes = 16, .root = root, .extents = {2, 8}, .radix = 3};
      int sent = 0, received = 0;
      const Schedule scatter = built(std::string("scatter_") + name, parameters);
      for (const Round& round : scatter.rounds())
        for (const Transfer& t : round) sent += t.from == root ? scatter.count(t.what) : 0;
      const Schedule gather = built(std::string("gather_") + name, parameters);
      for (const Round& round : gather.rounds())
        for (const Transfer& t : round) received += t.to == root ? gather.count(t.what) : 0;
      CHECK(sent == 15);
      CHECK(received == 15);
    }
}

TEST_CASE("7.2: radix 2 makes the binomial tree, radix p the root's turn with everybody") {
  for (int p = 1; p <= 33; ++p) {
    CAPTURE(p);
    for (Rank root = 0; root < p; ++root)
      CHECK(pairs(built("broadcast_k_nomial", {.nodes = p, .root = root})) ==
            pairs(built("broadcast_binomial", {.nodes = p, .root = root})));
    for (const int radix : {std::max(p, 2), 1 << 30})
      CHECK(pairs(built("broadcast_k_nomial", {.nodes = p, .radix = radix})) ==
            pairs(built("broadcast_linear", {.nodes = p})));
  }
}

TEST_CASE("7.2: the parent lacks the last digit that is not 0; (k - 1) ceil(log_k p) startups at most") {
  for (const int radix : {2, 3, 4, 5, 8})
    for (int p = 2; p <= 65; ++p) {
      const Schedule tree = built("broadcast_k_nomial", {.nodes = p, .root = p / 2, .radix = radix});
      int digits = 0;
      for (int reach = 1; reach < p; reach *= radix) ++digits;
      CHECK(int(tree.rounds().size()) <= (radix - 1) * digits);
      for (const Round& round : tree.rounds())
        for (const Transfer& t : round) {
          const int label = (t.to - p / 2 + p) % p;
          int weight = 1;
          while (label / weight % radix == 0) weight *= radix;
          CHECK((t.from - p / 2 + p) % p == label - label / weight % radix * weight);
        }
    }
}

TEST_CASE("7.2: a child at distance j k^i owns the next k^i ranks") {
  CHECK(drawn("scatter_k_nomial", {.nodes = 8, .radix = 3}) ==
        "1: 0>6[6-7]; 2: 0>3[3-5]; 3: 0>2[2] 3>5[5]; 4: 0>1[1] 3>4[4] 6>7[7]");
  CHECK(drawn("gather_k_nomial", {.nodes = 4, .root = 1, .radix = 4}) == "1: 2>1[2]; 2: 3>1[3]; 3: 0>1[0]");
}

TEST_CASE("7.2: the last child's ranks may wrap and rank order is kept; else rank 0 combines") {
  CHECK(drawn("reduce_k_nomial", {.nodes = 5, .root = 2, .keep_order = true, .radix = 3}) ==
        "1: 3>+2 1>+0; 2: 4>+2; 3: 0+>2");
  CHECK(drawn("reduce_k_nomial", {.nodes = 5, .root = 1, .keep_order = true, .radix = 3}) ==
        "1: 1>+0 4>+3; 2: 2>+0; 3: 3>+0; 4: 0>1");
}

TEST_CASE("2.5: on a ring p - 1 blocks go right, then p - 2, at last 1") {
  CHECK(drawn("all_to_all_ring", {.nodes = 3}) == "1: 0>1[1-2] 1>2[3,5] 2>0[6-7]; 2: 0>1[7] 1>2[2] 2>0[3]");
  CHECK(sizes(built("all_to_all_ring", {.nodes = 6})) == std::vector{5, 4, 3, 2, 1});
}

TEST_CASE("2.5: on a mesh r blocks per destination column, then c per row") {
  CHECK(sizes(built("all_to_all_mesh", {.nodes = 8, .extents = {2, 4}})) == std::vector{6, 4, 2, 4});
  CHECK(sizes(built("all_to_all_mesh", {.nodes = 9, .extents = {3, 3}})) == std::vector{6, 3, 6, 3});
  CHECK(sizes(built("all_to_all_mesh", {.nodes = 12, .extents = {2, 3, 2}})) == std::vector{6, 8, 4, 6});
}

TEST_CASE("2.5: on a hypercube p / 2 blocks cross every dimension") {
  CHECK(drawn("all_to_all_hypercube", {.nodes = 4}) ==
        "1: 0>1[1,3] 1>0[4,6] 2>3[9,11] 3>2[12,14]; 2: 0>2[2,6] 1>3[3,7] 2>0[8,12] 3>1[9,13]");
  CHECK(sizes(built("all_to_all_hypercube", {.nodes = 16})) == std::vector{8, 8, 8, 8});
}

TEST_CASE("2.5: algorithm 4.10 exchanges with rank XOR i, free of congestion whichever bit goes first") {
  CHECK(drawn("all_to_all_e_cube", {.nodes = 4}) ==
        "1: 0>1[1] 1>0[4] 2>3[11] 3>2[14]; 2: 0>2[2] 1>3[7] 2>0[8] 3>1[13]; 3: 0>3[3] 1>2[6] 2>1[9] 3>0[12]");
  for (const int p : {2, 4, 8, 16, 32}) {
    const Schedule schedule = built("all_to_all_e_cube", {.nodes = p});
    for (const Routing routing : {Routing::ecube, Routing::ecube_high})
      CHECK(load(schedule, Topology(shapes::hypercube{}, p), routing) == 1);
  }
}

TEST_CASE("2.5: every step of a block on its way is one message, and it goes no way twice") {
  for (const char* name :
       {"all_to_all_ring", "all_to_all_mesh", "all_to_all_hypercube", "all_to_all_bruck"}) {
    CAPTURE(name);
    const Schedule schedule = built(name, {.nodes = 8, .extents = {2, 4}});
    std::map<int, Rank> at;
    for (const Round& round : schedule.rounds())
      for (const Transfer& t : round)
        for (const Interval& blocks : schedule.intervals(t.what))
          for (int block = blocks.first; block < blocks.last; ++block) {
            CHECK(at.try_emplace(block, block / 8).first->second == t.from);
            at[block] = t.to;
          }
    CHECK(at.size() == 8 * 7);
    for (const auto& [block, rank] : at) CHECK(rank == block % 8);
  }
}

TEST_CASE("7.4: Bruck's rounds send the blocks whose way has the bit") {
  CHECK(drawn("all_to_all_bruck", {.nodes = 3}) == "1: 0>1[1] 1>2[5] 2>0[6]; 2: 0>2[2] 1>0[3] 2>1[7]");
  CHECK(sizes(built("all_to_all_bruck", {.nodes = 5})) == std::vector{2, 2, 1});
  CHECK(sizes(built("all_to_all_bruck", {.nodes = 6})) == std::vector{3, 2, 2});
  CHECK(sizes(built("all_to_all_bruck", {.nodes = 7})) == std::vector{3, 3, 3});
  CHECK(sizes(built("all_to_all_bruck", {.nodes = 12})) == std::vector{6, 6, 4, 4});
  CHECK(sizes(built("all_to_all_bruck", {.nodes = 16})) == std::vector{8, 8, 8, 8});
}

TEST_CASE("7.4: pairwise exchange is a shift per round: load floor(p / 2) on a ring, 1 on a hypercube") {
  for (int p = 2; p <= 17; ++p)
    CHECK(load(built("all_to_all_pairwise", {.nodes = p}), Topology(shapes::ring{}, p), Routing::shortest) ==
          p / 2);
  for (const int p : {2, 4, 8, 16, 32})
    for (const Routing routing : {Routing::ecube, Routing::ecube_high})
      CHECK(load(built("all_to_all_pairwise", {.nodes = p}), Topology(shapes::hypercube{}, p), routing) == 1);
}
