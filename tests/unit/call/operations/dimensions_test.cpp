// Splits along what the topology or the machine divides.
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/vnode.hpp>

#include "sentence.hpp"

using namespace vnode_test;

namespace {

using Ranks = std::vector<int>;

/// Returns who is in the group of node `who`, when a team of this shape is split along `dimensions`;
/// `topology` becomes the group's.
Ranks along_of(int nodes, const vnode::Shape& shape, const vnode::shapes::along& dimensions, int who,
               std::string* topology = nullptr) {
  vnode::Team team(nodes, shape, patient());
  Ranks list;
  team.run([&](vnode::Node& me) {
    const vnode::Group group = me.split(dimensions);
    // It works: everybody learns who is in it from a gathering.
    std::vector<int> own{me.rank()}, all(static_cast<std::size_t>(group.size()));
    vnode::Group used = group;
    used.all_gather(own, all);
    for (int rank = 0; rank < group.size(); ++rank)
      CHECK(all[static_cast<std::size_t>(rank)] == group.team_rank(rank));
    if (me.rank() != who) return;
    list = all;
    if (topology != nullptr) *topology = group.topology().text() + " of " + std::to_string(group.size());
  });
  return list;
}

}

TEST_CASE("a mesh is split into rows and columns") {
  std::string topology;
  CHECK(along_of(12, vnode::shapes::mesh{3, 4}, {1}, 6, &topology) == Ranks{4, 5, 6, 7});
  CHECK(topology == "array of 4");
  CHECK(along_of(12, vnode::shapes::mesh{3, 4}, {0}, 6, &topology) == Ranks{2, 6, 10});
  CHECK(topology == "array of 3");
  CHECK(along_of(12, vnode::shapes::mesh{3, 4}, {0, 1}, 6, &topology) ==
        Ranks{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  CHECK(topology == "mesh:3x4 of 12");
  CHECK(along_of(6, vnode::shapes::mesh{2, 3}, {1, 0}, 0, &topology) ==
        Ranks{0, 3, 1, 4, 2, 5});  // transposed
  CHECK(topology == "mesh:3x2 of 6");
  CHECK(along_of(6, vnode::shapes::mesh{2, 3}, {}, 4, &topology) == Ranks{4});
}

TEST_CASE("a torus is split into rings and planes that are tori") {
  std::string topology;
  CHECK(along_of(24, vnode::shapes::torus{2, 3, 4}, {2}, 17, &topology) == Ranks{16, 17, 18, 19});
  CHECK(topology == "ring of 4");
  CHECK(along_of(24, vnode::shapes::torus{2, 3, 4}, {1}, 17, &topology) == Ranks{13, 17, 21});
  CHECK(along_of(24, vnode::shapes::torus{2, 3, 4}, {0}, 17, &topology) == Ranks{5, 17});
  CHECK(along_of(24, vnode::shapes::torus{2, 3, 4}, {0, 2}, 17, &topology) ==
        Ranks{4, 5, 6, 7, 16, 17, 18, 19});
  CHECK(topology == "torus:2x4 of 8");
}

TEST_CASE("a hypercube is split into sub-cubes, by bits of the rank") {
  std::string topology;
  CHECK(along_of(16, vnode::shapes::hypercube{}, {0}, 6) == Ranks{6, 7});
  CHECK(along_of(16, vnode::shapes::hypercube{}, {3}, 6) == Ranks{6, 14});
  CHECK(along_of(16, vnode::shapes::hypercube{}, {0, 2}, 6, &topology) == Ranks{2, 3, 6, 7});
  CHECK(topology == "hypercube of 4");
  CHECK(along_of(16, vnode::shapes::hypercube{}, {2, 0}, 6) == Ranks{2, 6, 3, 7});
}

TEST_CASE("rings and arrays have one dimension") {
  std::string topology;
  CHECK(along_of(3, vnode::shapes::ring{}, {0}, 2, &topology) == Ranks{0, 1, 2});
  CHECK(topology == "ring of 3");
  CHECK(along_of(3, vnode::shapes::array{}, {}, 2, &topology) == Ranks{2});
  CHECK(topology == "array of 1");
}

TEST_CASE("rows of rows: a group is split along its own topology") {
  vnode::Team team(24, vnode::shapes::mesh{2, 3, 4}, patient());
  team.run([](vnode::Node& me) {
    const vnode::Group plane = me.split(vnode::shapes::along{1, 2});  // 3 x 4
    const vnode::Group column = plane.split(vnode::shapes::along{0});
    CHECK(column.size() == 3);
    for (int rank = 0; rank < 3; ++rank)
      CHECK(column.team_rank(rank) == me.rank() / 12 * 12 + rank * 4 + me.rank() % 4);
  });
}

TEST_CASE("dimensions that there are not are refused") {
  const auto refused = [](int nodes, const vnode::Shape& shape, const vnode::shapes::along& dimensions) {
    return refusal(
        nodes, [&](vnode::Node& me) { me.split(dimensions); }, shape);
  };
  CHECK(refused(6, vnode::shapes::mesh{2, 3}, {2}) == "mesh:2x3 has dimensions 0 to 1, not 2");
  CHECK(refused(6, vnode::shapes::mesh{2, 3}, {-1}) == "mesh:2x3 has dimensions 0 to 1, not -1");
  CHECK(refused(6, vnode::shapes::mesh{2, 3}, {1, 1}) == "dimension 1 is named twice");
  CHECK(refused(8, vnode::shapes::hypercube{}, {3}) == "hypercube has dimensions 0 to 2, not 3");
  CHECK(refused(4, vnode::shapes::ring{}, {1}) == "ring has dimensions 0 to 0, not 1");
  CHECK(refused(4, vnode::shapes::full{}, {0}) ==
        "full has no dimensions to split along: meshes, tori, hypercubes, arrays and rings have");
  CHECK(refused(4, vnode::shapes::tree{}, {0}) ==
        "tree has no dimensions to split along: meshes, tori, hypercubes, arrays and rings have");
}

TEST_CASE("nodes in one part of the machine form a group") {
  // Two packages of two NUMA domains each, of two caches each, of two cores each, of two PUs each.
  const vnode_test::GivenMachine machine("pack:2 numa:2 l3:2 core:2 pu:2");
  vnode::Team team(16, vnode::shapes::full{}, patient());
  team.run([](vnode::Node& me) {
    const auto size = [&](vnode::Domain domain) {
      const vnode::Group group = me.split(domain);
      vnode::Group used = group;
      int sum[1] = {1};
      used.all_reduce(sum, std::plus<>{});
      CHECK(sum[0] == group.size());
      CHECK(group.team_rank(group.rank()) == me.rank());
      return group.size();
    };
    CHECK(size(vnode::Domain::machine) == 16);  // a team on one machine is one
    CHECK(size(vnode::Domain::package) == 8);
    CHECK(size(vnode::Domain::numa) == 4);
    CHECK(size(vnode::Domain::l3) == 2);
    CHECK(size(vnode::Domain::core) == 1);
    // A domain within a domain of a group.
    CHECK(me.split(vnode::Domain::package).split(vnode::Domain::l3).size() == 2);
  });
}

TEST_CASE("nodes under one cache form a group; where there is no cache, those of a package or of a core") {
  const auto sizes = [](const char* description) {
    const vnode_test::GivenMachine machine(description);
    vnode::Team team(8, vnode::shapes::full{}, patient());
    Ranks of_node_0;
    team.run([&](vnode::Node& me) {
      const Ranks mine{me.split(vnode::Domain::l3).size(), me.split(vnode::Domain::l2).size(),
                       me.split(vnode::Domain::core).size()};
      if (me.rank() == 0) of_node_0 = mine;
    });
    return of_node_0;
  };
  CHECK(sizes("pack:1 l3:2 l2:2 core:2 pu:1") == Ranks{4, 2, 1});
  CHECK(sizes("pack:2 l2:2 core:2 pu:1") == Ranks{4, 2, 1});
  CHECK(sizes("pack:2 core:4 pu:1") == Ranks{4, 1, 1});
}
