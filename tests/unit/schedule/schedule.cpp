#include <array>
#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/cost.hpp>
#include <vnode/model/schedule.hpp>

using namespace vnode;

TEST_CASE("a schedule has at least one node and no negative number of blocks") {
  CHECK_THROWS_AS(Schedule(0, 1), UsageError);
  CHECK_THROWS_AS(Schedule(2, -1), UsageError);
  CHECK(Schedule(1, 0).rounds().empty());
}

TEST_CASE("equal lists of blocks share one place, however they are put together") {
  Schedule schedule(2, 8);
  const std::array apart{Interval{2, 3}, Interval{3, 5}, Interval{5, 5}};
  CHECK(schedule.blocks_of(apart) == schedule.interval(2, 5));
  CHECK(schedule.interval(0, 8) == Blocks::whole);
  CHECK(schedule.interval(4, 4) == Blocks::nothing);
  CHECK(schedule.block(3) != schedule.block(4));
  CHECK(schedule.block(3) == schedule.interval(3, 4));
  const std::array backwards{Interval{3, 5}, Interval{2, 3}};
  CHECK(schedule.blocks_of(backwards) != schedule.interval(2, 5));
  CHECK(schedule.count(schedule.blocks_of(backwards)) == 3);
  CHECK(schedule.intervals(schedule.blocks_of(backwards))[0] == Interval{3, 5});
}

TEST_CASE("a large pool is searched quickly and still tells lists apart") {
  constexpr int blocks = 20'000;
  Schedule schedule(2, blocks);
  std::vector<Blocks> made;
  for (int i = 0; i < blocks; ++i) made.push_back(schedule.block(i));
  for (int i = 0; i < blocks; ++i) {
    CHECK_EQ(schedule.block(i), made[static_cast<std::size_t>(i)]);
    CHECK_EQ(schedule.intervals(made[static_cast<std::size_t>(i)])[0].first, i);
  }
}

TEST_CASE("blocks that a schedule does not have are refused") {
  Schedule schedule(2, 4);
  CHECK_THROWS_WITH_AS(schedule.interval(2, 5), "blocks 2 to 4 are not all within 0 to 3", UsageError);
  CHECK_THROWS_AS(schedule.interval(-1, 2), UsageError);
  CHECK_THROWS_AS(schedule.interval(3, 2), UsageError);
}

TEST_CASE("schedules are equal by what they say, not by when their lists were made") {
  Schedule a(2, 4), b(2, 4);
  b.block(3);
  a.next_round().push_back({0, 1, a.block(1)});
  b.next_round().push_back({0, 1, b.block(1)});
  CHECK(a == b);
  b.round(0)[0].effect = Effect::combine_after;
  CHECK_FALSE(a == b);
  b.round(0)[0] = {0, 1, b.block(2)};
  CHECK_FALSE(a == b);
}

TEST_CASE("transfers with equal from, to and what are one message") {
  Schedule schedule(3, 2);
  Round& round = schedule.next_round();
  const Blocks first = schedule.block(0), second = schedule.block(1);
  round = {{0, 1, first}, {0, 1, first, second, Effect::combine_before}, {0, 1, second}, {0, 2, first}};
  CHECK(messages(round).size() == 3);
}

TEST_CASE("a round costs a startup and the words of its largest message") {
  Schedule schedule(4, 4);
  schedule.next_round() = {{0, 1, Blocks::whole}, {2, 3, schedule.block(0)}};
  schedule.next_round() = {{0, 1, schedule.block(0)}};
  CHECK(step_synchronous_cost(schedule, 4) == Cost{2, 1.25, 1.25, 0});
  CHECK(step_synchronous_cost(schedule, 1) == Cost{2, 5, 5, 0});
  CHECK(step_synchronous_cost(schedule, 0) == Cost{2, 0, 0, 0});
}

TEST_CASE("a node with many ports receives more than the largest message, and may combine all of it") {
  Schedule schedule(3, 2);
  schedule.next_round() = {{1, 0, Blocks::whole, Effect::combine_after},
                           {2, 0, Blocks::whole, Effect::combine_after}};
  schedule.next_round() = {{0, 1, schedule.block(0)}, {0, 2, schedule.block(1)}};
  CHECK(step_synchronous_cost(schedule, 2) == Cost{2, 1.5, 2.5, 2});
}

TEST_CASE("contracts say what every node brings and takes away") {
  const Contract broadcast = broadcast_contract(3, 2, 1);
  CHECK(broadcast.shares[1].input == std::vector<Interval>{{0, 2}});
  CHECK(broadcast.shares[0].input.empty());
  CHECK(broadcast.shares[0].output == std::vector<Interval>{{0, 2}});
  const Contract reduce = reduce_contract(3, 2, 1);
  CHECK(reduce.shares[0].input == std::vector<Interval>{{0, 2}});
  CHECK(reduce.shares[0].output.empty());
  CHECK(reduce.shares[1].output == std::vector<Interval>{{0, 2}});
  CHECK(barrier_contract(3).knowledge);
  CHECK(barrier_contract(3).nodes() == 3);
}
