#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

#include <vnode/error.hpp>
#include <vnode/neighbours.hpp>

using vnode::Neighbours;
using vnode::no_rank;
using vnode::Rank;
using vnode::Topology;

namespace {

std::vector<Rank> listed(std::span<const Rank> ranks) { return {ranks.begin(), ranks.end()}; }

}  // namespace

TEST_CASE("neighbours are listed by dimension, the lower one first") {
  const Topology mesh(vnode::shapes::mesh{3, 4}, 12);
  CHECK(listed(Neighbours(mesh, 0).sources()) == std::vector{no_rank, 4, no_rank, 1});
  CHECK(listed(Neighbours(mesh, 5).targets()) == std::vector{1, 9, 4, 6});
  CHECK(Neighbours::number(0, -1) == 0);
  CHECK(Neighbours::number(1, +1) == 3);
  const Topology torus(vnode::shapes::torus{3, 4}, 12);
  CHECK(listed(Neighbours(torus, 0).targets()) == std::vector{8, 4, 3, 1});
  const Topology array(vnode::shapes::array{}, 3);
  CHECK(listed(Neighbours(array, 0).targets()) == std::vector{no_rank, 1});
  CHECK(listed(Neighbours(array, 2).targets()) == std::vector{1, no_rank});
  CHECK(listed(Neighbours(Topology(vnode::shapes::ring{}, 2), 0).targets()) == std::vector{1, 1});
  CHECK(listed(Neighbours(Topology(vnode::shapes::ring{}, 1), 0).targets()) == std::vector{0, 0});
  CHECK(listed(Neighbours(Topology(vnode::shapes::array{}, 1), 0).targets()) ==
        std::vector{no_rank, no_rank});
  CHECK(listed(Neighbours(Topology(vnode::shapes::hypercube{}, 8), 5).targets()) == std::vector{4, 7, 1});
  CHECK(listed(Neighbours(Topology(vnode::shapes::full{}, 4), 2).targets()) == std::vector{0, 1, 3});
  CHECK_THROWS_WITH_AS(Neighbours(Topology(vnode::shapes::tree{}, 4), 0),
                       "neighbours: the nodes of a tree are linked to switches and have no neighbours: list "
                       "some, as Neighbours{sources, targets}",
                       vnode::UsageError);
}

TEST_CASE("what leaves through one side arrives at the other side of the neighbour") {
  for (const vnode::Shape& shape :
       {vnode::Shape(vnode::shapes::ring{}), vnode::Shape(vnode::shapes::array{}),
        vnode::Shape(vnode::shapes::torus{}), vnode::Shape(vnode::shapes::mesh{}),
        vnode::Shape(vnode::shapes::hypercube{}), vnode::Shape(vnode::shapes::full{}),
        vnode::Shape(vnode::shapes::torus{2, 2, 2}), vnode::Shape(vnode::shapes::torus{1, 2, 3})})
    for (int p = 1; p <= 64; ++p) {
      if (shape.family() == vnode::Family::hypercube && (p & (p - 1)) != 0) continue;
      if (shape.nodes().value_or(p) != p) continue;
      const Topology topology(shape, p);
      for (Rank me = 0; me < p; ++me) {
        const Neighbours mine(topology, me);
        for (std::size_t i = 0; i < mine.targets().size(); ++i) {
          const Rank to = mine.targets()[i];
          if (to == no_rank) continue;
          const Neighbours theirs(topology, to);
          int found = 0;
          for (std::size_t j = 0; j < theirs.sources().size(); ++j)
            if (theirs.sources()[j] == me && theirs.source_marks()[j] == mine.target_marks()[i]) {
              ++found;
              const bool sides =
                  shape.family() != vnode::Family::hypercube && shape.family() != vnode::Family::full;
              if (sides) REQUIRE(j == (i ^ 1));
            }
          REQUIRE(found == 1);
          if (to != me) REQUIRE(topology.distance(me, to) == 1);
        }
      }
    }
}

TEST_CASE("of neighbours that are listed twice the first is first at both ends") {
  const Neighbours list({3, 1, 3, no_rank, 3}, {2, 2});
  CHECK(std::ranges::equal(list.source_marks(), std::vector{0, 0, 1, 0, 2}));
  CHECK(std::ranges::equal(list.target_marks(), std::vector{0, 1}));
  CHECK(Neighbours() == Neighbours({}, {}));
  CHECK(!(Neighbours() == list));
}
