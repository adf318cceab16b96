#include <doctest/doctest.h>
#include <numeric>
#include <set>

#include <vnode/error.hpp>
#include <vnode/model/port_banks.hpp>

#include "machine_file.hpp"

using namespace vnode;

namespace {

// Eight nodes, two on each of four banks.
const Machine four = Machine::from_synthetic("numa:4 core:2 pu:1");

PortBanks eight(const Shape& shape, Banks policy) {
  return {four, compact_mapping(four, 8), Topology(shape, 8), policy};
}

int bank(const PortBanks& banks, Rank node, int port) { return banks.bank({node, port, true}); }

}  // namespace

TEST_CASE("policies have names, and these are read") {
  for (const Banks banks : all_banks()) CHECK(parse_banks(enums::name(banks)) == banks);
  CHECK(all_banks().size() == 5);
  CHECK_THROWS_WITH_AS(parse_banks("all"),
                       "\"all\" is not a policy for banks: there are owner, peer, spread, interleave, one",
                       UsageError);
}

TEST_CASE("owner: at home; peer: where the neighbour is; one: on the first; interleave: on all") {
  for (Rank node = 0; node < 8; ++node)
    for (int port = 0; port < 3; ++port) {
      CHECK(bank(eight(shapes::hypercube{}, Banks::owner), node, port) == node / 2);
      CHECK(bank(eight(shapes::hypercube{}, Banks::peer), node, port) == (node ^ (1 << port)) / 2);
      CHECK(bank(eight(shapes::hypercube{}, Banks::one), node, port) == 0);
      CHECK(bank(eight(shapes::hypercube{}, Banks::interleave), node, port) == every_bank);
    }
  // The other end of a leaf's link is a switch, which is nowhere.
  CHECK(bank(eight(shapes::tree{}, Banks::peer), 5, 0) == 2);
}

TEST_CASE("spread: port i is on bank home + i, so that a node's ports use as many banks as there are") {
  for (Rank node = 0; node < 8; ++node) {
    const PortBanks cube = eight(shapes::hypercube{}, Banks::spread),
                    all = eight(shapes::full{}, Banks::spread);
    std::vector<int> ports(4);
    for (int port = 0; port < 3; ++port) CHECK(bank(cube, node, port) == (node / 2 + port) % 4);
    for (int port = 0; port < 7; ++port) ++ports[static_cast<std::size_t>(bank(all, node, port))];
    for (const int count : ports) CHECK((count == 1 || count == 2));
  }
}

TEST_CASE("what one node receives from another is at the port where the way ends") {
  for (const Banks policy : all_banks()) {
    const PortBanks banks = eight(shapes::hypercube{}, policy);
    for (Rank to = 0; to < 8; ++to)
      for (int port = 0; port < 3; ++port)
        CHECK(banks.bank_between(to ^ (1 << port), to) == bank(banks, to, port));
  }
  // From 0 to 6 by e-cube the last link is dimension 2; by peer it is the sender's bank all the same.
  CHECK(eight(shapes::hypercube{}, Banks::spread).bank_between(0, 6) ==
        bank(eight(shapes::hypercube{}, Banks::spread), 6, 2));
  CHECK(eight(shapes::hypercube{}, Banks::peer).bank_between(0, 6) == 0);
}

TEST_CASE("what is of no one port lies on one bank only if all ports' buffers do") {
  for (Rank node = 0; node < 8; ++node) {
    CHECK(eight(shapes::ring{}, Banks::owner).bank_of_all(node) == node / 2);
    CHECK(eight(shapes::ring{}, Banks::one).bank_of_all(node) == 0);
    for (const Banks policy : {Banks::peer, Banks::spread, Banks::interleave})
      CHECK(eight(shapes::ring{}, policy).bank_of_all(node) == every_bank);
  }
}

TEST_CASE("banks are NUMA nodes with memory; nodes elsewhere begin with the first of them") {
  Machine machine = four;
  CHECK(banks_of(machine) == std::vector{0, 1, 2, 3});
  machine.numas[0].bytes = machine.numas[2].bytes = 0;
  for (const std::size_t numa : {std::size_t{1}, std::size_t{3}}) machine.numas[numa].bytes = 1 << 20;
  CHECK(banks_of(machine) == std::vector{1, 3});
  const PortBanks banks(machine, compact_mapping(machine, 8), Topology(shapes::hypercube{}, 8),
                        Banks::spread);
  CHECK(bank(banks, 0, 0) == 1);
  CHECK(bank(banks, 0, 1) == 3);
  CHECK(bank(banks, 2, 0) == 1);
  CHECK(bank(banks, 6, 1) == 1);
  for (NumaNode& numa : machine.numas) numa.bytes = 0;  // unknown
  CHECK(banks_of(machine).size() == 4);
}

TEST_CASE("a node is at home on the nearest bank, and runs on a NUMA node that may have none") {
  const Machine machine = machine_of_file("node_without_memory");
  CHECK(banks_of(machine) == std::vector{0, 2});
  const PortBanks banks(machine, compact_mapping(machine, 6), Topology(shapes::full{}, 6), Banks::owner);
  CHECK(banks.numa(2) == 1);
  CHECK(banks.home(2) == nearest_bank(machine, numa_distances(machine), 1));
  const MemoryBanks memory = banks.memory({1, 1, 1});
  for (Rank node = 0; node < 6; ++node) {
    CHECK(memory.home(node) == node / 2);
    CHECK(memory.bank({node, 0, true}) == banks.home(node));
  }
}

TEST_CASE("in turn are the banks that the process may use and that have memory") {
  const auto turns = [](const char* name) {
    const Machine machine = machine_of_file(name);
    const PortBanks banks(machine, compact_mapping(machine, 2), Topology(shapes::ring{}, 2),
                          Banks::interleave);
    return banks.memory(std::vector<double>(machine.numas.size(), 1)).turns;
  };
  CHECK(turns("four_nodes") == std::vector{0, 1, 2, 3});
  CHECK(turns("node_without_memory") == std::vector{0, 2});
  CHECK(turns("cpus_without_node") == std::vector{0});
  CHECK(turns("disallowed") == std::vector{0});
}

TEST_CASE("without a bank there is nowhere to put buffers") {
  Machine machine = four;
  for (NumaNode& numa : machine.numas) numa.bytes = 1 << 20;
  machine.numas[1].bytes = 0;
  for (const std::size_t numa : {std::size_t{0}, std::size_t{2}, std::size_t{3}})
    machine.numas[numa].allowed = false;  // the one that is left has no memory
  CHECK(banks_of(machine).empty());
  CHECK_FALSE(nearest_bank(machine, numa_distances(machine), 1));
  for (const Banks policy : all_banks())
    CHECK_THROWS_WITH_AS(
        PortBanks(machine, compact_mapping(machine, 8), Topology(shapes::ring{}, 8), policy),
        doctest::Contains("has no bank for buffers: no NUMA node has memory that may be used"), SystemError);
}

TEST_CASE("a mapping of other nodes is refused") {
  CHECK_THROWS_WITH_AS(PortBanks(four, compact_mapping(four, 4), Topology(shapes::ring{}, 8), Banks::owner),
                       "the mapping has 4 nodes, the topology, ring, has 8", UsageError);
}
