#include <array>
#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/compose.hpp>

using namespace vnode;

namespace {

Schedule read(const char* text) { return schedule_from_text(text); }

}  // namespace

TEST_CASE("then plays one schedule after the other") {
  const Schedule a = read("nodes 2 blocks 3\n1: 0>1[0]"), b = read("nodes 2 blocks 3\n1: 1>0[1-2] 0>1[1]");
  CHECK(picture(compose::then(a, b)) == "1: 0>1[0]; 2: 1>0[1-2] 0>1[1]");
  CHECK_THROWS_AS(compose::then(a, read("nodes 3 blocks 3")), UsageError);
  CHECK_THROWS_AS(compose::then(a, read("nodes 2 blocks 2")), UsageError);
}

TEST_CASE("beside plays two schedules at the same time") {
  const Schedule a = read("nodes 4 blocks 2\n1: 0>1[0]"), b = read("nodes 4 blocks 2\n1: 2>3[1]\n2: 3>2");
  CHECK(picture(compose::beside(a, b)) == "1: 0>1[0] 2>3[1]; 2: 3>2");
  CHECK(picture(compose::beside(b, a)) == "1: 2>3[1] 0>1[0]; 2: 3>2");
  CHECK_THROWS_AS(compose::beside(a, read("nodes 3 blocks 2")), UsageError);
}

TEST_CASE("a group plays a schedule under its own ranks and with its own blocks") {
  const Schedule a = read("nodes 2 blocks 2\n1: 0>1[0:1] 1+>0");
  const std::array<Rank, 2> ranks{4, 1};
  CHECK(picture(compose::on_group(a, 5, ranks)) == "1: 4>1[0:1] 1+>4");
  CHECK(to_text(compose::on_group(a, 5, ranks, {8, {{2, 4}, {6, 8}}})) ==
        "nodes 5 blocks 8\n1: 4>1[2-3:6-7] 1+>4[2-3,6-7]\n");
  const std::array<Rank, 2> same{1, 1}, beyond{0, 5};
  CHECK_THROWS_AS(compose::on_group(a, 5, same), UsageError);
  CHECK_THROWS_AS(compose::on_group(a, 5, beyond), UsageError);
  CHECK_THROWS_AS(compose::on_group(a, 5, std::span(ranks).first(1)), UsageError);
  CHECK_THROWS_AS(compose::on_group(a, 5, ranks, {8, {{2, 4}}}), UsageError);
  CHECK_THROWS_AS(compose::on_group(a, 5, ranks, {8, {{2, 4}, {6, 7}}}), UsageError);
}

TEST_CASE("relabelling twice by a permutation and its inverse changes nothing") {
  const Schedule a = read("nodes 3 blocks 2\n1: 0>1[0] 1>2[1]\n2: 2>+0");
  const std::array<Rank, 3> there{1, 2, 0}, back{2, 0, 1};
  const BlockMap swap{2, {{1, 2}, {0, 1}}};
  CHECK(compose::relabelled(compose::relabelled(a, there), back) == a);
  CHECK(compose::relabelled(compose::relabelled(a, there, swap), back, swap) == a);
  CHECK(picture(compose::relabelled(a, there, swap)) == "1: 1>2[1] 2>0[0]; 2: 0>+1[1,0]");
}

TEST_CASE("a reversed scatter is a gather") {
  const Schedule scatter = read("nodes 4 blocks 4\n1: 0>2[2-3]\n2: 0>1[1] 2>3[3]");
  CHECK(picture(compose::reversed(scatter)) == "1: 1>0[1] 3>2[3]; 2: 2>0[2-3]");
  CHECK(compose::reversed(compose::reversed(scatter)) == scatter);
  CHECK_THROWS_AS(compose::reversed(read("nodes 2 blocks 1\n1: 0>+1")), UsageError);
}

TEST_CASE("the dual of a broadcast is a reduction whose lower ranks stand on the left") {
  const Schedule broadcast = read("nodes 4 blocks 1\n1: 2>0\n2: 2>3 0>1");
  CHECK(picture(compose::dual(broadcast)) == "1: 3>+2 1>+0; 2: 0+>2");
  CHECK(compose::dual_in_order(broadcast) == compose::dual(broadcast));
}

TEST_CASE("the dual of an all-gather is a reduce-scatter") {
  const Schedule gather =
      read("nodes 4 blocks 4\n1: 0>1[0] 1>0[1] 2>3[2] 3>2[3]\n2: 0>2[0-1] 2>0[2-3] 1>3[0-1] 3>1[2-3]");
  CHECK(picture(compose::dual(gather)) ==
        "1: 2>+0[0-1] 0+>2[2-3] 3>+1[0-1] 1+>3[2-3]; 2: 1>+0[0] 0+>1[1] 3>+2[2] 2+>3[3]");
}

TEST_CASE(
    "where contributions interleave, the operand with the lowest origin is the left one and order is not "
    "kept") {
  const Schedule broadcast = read("nodes 4 blocks 1\n1: 0>1\n2: 0>2 1>3");
  CHECK(picture(compose::dual(broadcast)) == "1: 2>+0 3>+1; 2: 1>+0");
  CHECK_FALSE(compose::dual_in_order(broadcast));
}

TEST_CASE("several messages into one place make one combine in rank order") {
  CHECK(picture(compose::dual(read("nodes 4 blocks 1\n1: 2>3 2>0 2>1"))) == "1: 3>+2 0+>2 1+>2");
  CHECK(compose::dual_in_order(read("nodes 4 blocks 1\n1: 2>3 2>0 2>1")));
  CHECK_FALSE(compose::dual_in_order(read("nodes 4 blocks 1\n1: 0>1 0>2\n2: 1>3")));
}

TEST_CASE("a schedule in which a node receives a block twice has no dual") {
  CHECK_THROWS_WITH_AS(compose::dual(read("nodes 3 blocks 1\n1: 0>2\n2: 1>2")),
                       "node 2 receives block 0 twice: such a schedule has no dual", UsageError);
}

TEST_CASE("a node's projection is what it sends and receives, round by round") {
  const Schedule a = read("nodes 3 blocks 1\n1: 0>1\n2: 1>2\n3: 0>2 2>0");
  const std::vector<Part> parts = projection(a, 2);
  REQUIRE(parts.size() == 3);
  CHECK(parts[0].out.empty());
  CHECK(parts[0].in.empty());
  CHECK(parts[1].in.at(0).from == 1);
  CHECK(parts[2].out.at(0).to == 0);
  CHECK(parts[2].in.at(0).from == 0);
  CHECK_THROWS_WITH_AS(projection(a, 3), "there is no node 3: the schedule has nodes 0 to 2", UsageError);
}
