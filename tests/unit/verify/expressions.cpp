#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/lab/notation.hpp>
#include <vnode/model/compose.hpp>
#include <vnode/model/verify.hpp>

#include "verify/values.hpp"

using namespace vnode;

namespace {

std::vector<Rank> ranks(int nodes) {
  std::vector<Rank> list;
  for (Rank rank = 0; rank < nodes; ++rank) list.push_back(rank);
  return list;
}

std::string canonical_text(int nodes) {
  Values values(nodes, Nary::left_to_right);
  return values.text(values.canonical(ranks(nodes), 0));
}

Value combined(Values& values, std::vector<Value> operands) { return values.combined(operands); }

bool canonical_reduce(const char* text, int nodes) {
  const Schedule schedule = schedule_from_text(text);
  const Contract contract = reduce_contract(nodes, schedule.blocks(), 0);
  REQUIRE(verify(schedule, contract, {.ports = Ports::all}).empty());
  return canonical(schedule, contract);
}

}  // namespace

TEST_CASE("the canonical expression makes pairs, then pairs of pairs, and carries up what is left over") {
  CHECK(canonical_text(1) == "0");
  CHECK(canonical_text(2) == "(0 1)");
  CHECK(canonical_text(3) == "((0 1) 2)");
  CHECK(canonical_text(4) == "((0 1) (2 3))");
  CHECK(canonical_text(5) == "(((0 1) (2 3)) 4)");
  CHECK(canonical_text(6) == "(((0 1) (2 3)) (4 5))");
  CHECK(canonical_text(7) == "(((0 1) (2 3)) ((4 5) 6))");
}

TEST_CASE("the canonical expression of p ranks is that of the first 2^k < p and that of the rest") {
  for (int nodes = 2; nodes <= 70; ++nodes) {
    Values values(nodes, Nary::left_to_right);
    int half = 1;
    while (2 * half < nodes) half *= 2;
    const std::vector<Rank> all = ranks(nodes), low(all.begin(), all.begin() + half),
                            high(all.begin() + half, all.end());
    CHECK(values.canonical(all, 0) ==
          combined(values, {values.canonical(low, 0), values.canonical(high, 0)}));
  }
}

TEST_CASE("equal expressions are one number, others are not, whatever they contain") {
  Values values(3, Nary::left_to_right);
  const Value a = values.own(0, 0), b = values.own(1, 0), c = values.own(2, 0);
  const Value left = combined(values, {combined(values, {a, b}), c}),
              right = combined(values, {a, combined(values, {b, c})});
  CHECK(left == combined(values, {a, b, c}));
  CHECK(left != right);
  CHECK(values.same_sequence(left, right));
  CHECK_FALSE(values.same_sequence(left, combined(values, {a, c, b})));
  CHECK(values.text(right) == "(0 (1 2))");
  CHECK(values.sequence(right) == std::vector<Rank>{0, 1, 2});
  CHECK(values.own(0, 1) != a);
}

TEST_CASE("an n-ary combine is evaluated from left to right, or canonically") {
  Values values(5, Nary::canonical);
  std::vector<Value> operands;
  for (const Rank rank : ranks(5)) operands.push_back(values.own(rank, 0));
  CHECK(values.text(values.combined(operands)) == canonical_text(5));
  Values other(5, Nary::left_to_right);
  CHECK(other.text(other.combined(operands)) == "((((0 1) 2) 3) 4)");
}

TEST_CASE("whether a schedule is canonical depends on its tree, not on the order of ranks alone") {
  CHECK(canonical_reduce("nodes 4 blocks 1\n1: 1>+0 3>+2\n2: 2>+0", 4));
  CHECK_FALSE(canonical_reduce("nodes 4 blocks 1\n1: 3>+2\n2: 2>+1\n3: 1>+0", 4));
  CHECK_FALSE(canonical_reduce("nodes 4 blocks 1\n1: 2>+0 3>+1\n2: 1>+0", 4));
  CHECK(canonical_reduce("nodes 5 blocks 1\n1: 1>+0 3>+2\n2: 2>+0\n3: 4>+0", 5));
  CHECK_FALSE(canonical_reduce("nodes 5 blocks 1\n1: 1>+0 4>+3\n2: 3>+2\n3: 2>+0", 5));
}

TEST_CASE("an n-ary combine of all is canonical, one of pairs too, and one of an odd group is not") {
  CHECK(canonical_reduce("nodes 5 blocks 1\n1: 1>+0 2>+0 3>+0 4>+0", 5));
  CHECK(canonical_reduce("nodes 6 blocks 1\n1: 1>+0 3>+2 5>+4\n2: 2>+0 4>+0", 6));
  CHECK_FALSE(canonical_reduce("nodes 6 blocks 1\n1: 1>+0 2>+0 4>+3 5>+3\n2: 3>+0", 6));
}

TEST_CASE("a scan is canonical if every rank's result is the canonical expression of the ranks before") {
  const Contract contract = scan_contract(4, 1, 1);
  const Schedule chain = schedule_from_text("nodes 4 blocks 1\n1: 0+>1\n2: 1+>2\n3: 2+>3");
  const Schedule tree = schedule_from_text("nodes 4 blocks 1\n1: 0+>1 2+>3\n2: 1+>2 1+>3");
  REQUIRE(verify(chain, contract).empty());
  REQUIRE(verify(tree, contract, {.ports = Ports::all}).empty());
  CHECK_FALSE(canonical(chain, contract));
  CHECK(canonical(tree, contract));
}

TEST_CASE("what is only moved is canonical, and so is a barrier; a block in the wrong place is not") {
  CHECK(canonical(schedule_from_text("nodes 2 blocks 1\n1: 0>1"), broadcast_contract(2, 1, 0)));
  CHECK(canonical(schedule_from_text("nodes 2 blocks 0\n1: 0>1 1>0"), barrier_contract(2)));
  CHECK_FALSE(canonical(schedule_from_text("nodes 2 blocks 1\n1:"), broadcast_contract(2, 1, 0)));
  CHECK_FALSE(canonical(schedule_from_text("nodes 2 blocks 2\n1: 0>1[0:1]"), broadcast_contract(2, 2, 0)));
}

TEST_CASE("all nodes have the same bits where it is promised: the same expression, not only the same ranks") {
  const Contract contract = all_reduce_contract(4, 1);
  const Schedule brackets =
      schedule_from_text("nodes 4 blocks 1\n1: 1>+0 0+>1\n2: 2>+0 3>+2\n3: 3>+0 2>+1\n4: 0>2 1>3");
  CHECK(verify(brackets, contract, {.in_order = true}).empty());
  CHECK(verify(brackets, contract, {.same_bits = true}) ==
        std::vector<std::string>{
            "block 0 is (((0 1) 2) 3) on node 0, but ((0 1) (2 3)) on node 1: their bits may differ",
            "block 0 is (((0 1) 2) 3) on node 0, but ((0 1) (2 3)) on node 3: their bits may differ"});
  const Schedule doubling =
      schedule_from_text("nodes 4 blocks 1\n1: 1>+0 0+>1 3>+2 2+>3\n2: 2>+0 0+>2 3>+1 1+>3");
  CHECK(verify(doubling, contract, {.same_bits = true}).empty());
}
