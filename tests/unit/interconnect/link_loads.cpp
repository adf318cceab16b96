#include "interconnect/link_loads.hpp"

#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/notation.hpp>

using namespace vnode;

TEST_CASE("a link's load is counted per direction, in messages and in blocks") {
  const Schedule schedule =
      schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-2] 1>2[0] 3>0[3]\n2: 1>0[0-1]\n3:");
  const std::vector<RoundLoad> loads = link_loads(schedule, Topology(shapes::array{}, 4), Routing::shortest);
  CHECK(loads == std::vector<RoundLoad>{{2, 4, 3}, {1, 2, 2}, {0, 0, 0}});
  CHECK(greatest_load(loads) == 2);
  CHECK(scaled_words(loads, 4) == 1.5);
  CHECK(greatest_load(link_loads(schedule, Topology(shapes::ring{}, 4), Routing::shortest)) == 1);
}

TEST_CASE("one message is counted once on a link, however many transfers it makes") {
  const Schedule schedule = schedule_from_text("nodes 2 blocks 2\n1: 0>1[0] 0+>1[0:1]");
  CHECK(greatest_load(link_loads(schedule, Topology(shapes::array{}, 2), Routing::shortest)) == 1);
}

TEST_CASE("the way depends on the routing") {
  const Schedule crossing = schedule_from_text("nodes 4 blocks 1\n1: 0>3 1>2");
  const Topology square(shapes::mesh{2, 2}, 4);
  CHECK(greatest_load(link_loads(crossing, square, Routing::xy)) == 1);
  const Schedule meeting = schedule_from_text("nodes 4 blocks 1\n1: 0>3 1>3");
  CHECK(greatest_load(link_loads(meeting, square, Routing::xy)) == 2);
  CHECK(greatest_load(link_loads(meeting, square, Routing::yx)) == 1);
}

TEST_CASE("loads on a topology of other nodes, or by a routing of another family, are refused") {
  const Schedule schedule = schedule_from_text("nodes 4 blocks 1\n1: 0>3");
  CHECK_THROWS_AS(link_loads(schedule, Topology(shapes::ring{}, 5), Routing::shortest), UsageError);
  CHECK_THROWS_AS(link_loads(schedule, Topology(shapes::ring{}, 4), Routing::xy), UsageError);
}

TEST_CASE("one measure of many schedules forgets what it has measured, not the routes") {
  LinkLoads line(Topology(shapes::array{}, 4), Routing::shortest);
  const Schedule far = schedule_from_text("nodes 4 blocks 4\n1: 0>3[0-2] 1>2[0] 3>0[3]\n2: 1>0[0-1]"),
                 near = schedule_from_text("nodes 4 blocks 4\n1: 1>2[0]\n2: 0>3[1]");
  for (int i = 0; i < 3; ++i) {
    CHECK(line.of(far) == std::vector<RoundLoad>{{2, 4, 3}, {1, 2, 2}});
    CHECK(line.of(near) == std::vector<RoundLoad>{{1, 1, 1}, {1, 1, 1}});
  }
}
