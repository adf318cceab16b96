#include <doctest/doctest.h>
#include <numeric>
#include <set>

#include <vnode/banks.hpp>
#include <vnode/error.hpp>

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
  for (const Banks banks : all_banks()) CHECK(parse_banks(name(banks)) == banks);
  CHECK(all_banks().size() == 5);
  CHECK_THROWS_WITH_AS(parse_banks("all"),
                       "\"all\" is no policy for banks: there are owner, peer, spread, interleave, one",
                       UsageError);
}

TEST_CASE("owner: at home; peer: where the neighbour is; one: on the first; interleave: on all") {
  for (Rank node = 0; node < 8; ++node)
    for (int port = 0; port < 3; ++port) {
      CHECK(bank(eight(hypercube{}, Banks::owner), node, port) == node / 2);
      CHECK(bank(eight(hypercube{}, Banks::peer), node, port) == (node ^ (1 << port)) / 2);
      CHECK(bank(eight(hypercube{}, Banks::one), node, port) == 0);
      CHECK(bank(eight(hypercube{}, Banks::interleave), node, port) == every_bank);
    }
  // The other end of a leaf's link is a switch, which is nowhere.
  CHECK(bank(eight(tree{}, Banks::peer), 5, 0) == 2);
}

TEST_CASE("spread: port i is on bank home + i, so that a node's ports use as many banks as there are") {
  for (Rank node = 0; node < 8; ++node) {
    const PortBanks cube = eight(hypercube{}, Banks::spread), all = eight(full{}, Banks::spread);
    std::vector<int> ports(4);
    for (int port = 0; port < 3; ++port) CHECK(bank(cube, node, port) == (node / 2 + port) % 4);
    for (int port = 0; port < 7; ++port) ++ports[static_cast<std::size_t>(bank(all, node, port))];
    for (const int count : ports) CHECK((count == 1 || count == 2));
  }
}

TEST_CASE("what one node receives from another is at the port where the way ends") {
  for (const Banks policy : all_banks()) {
    const PortBanks banks = eight(hypercube{}, policy);
    for (Rank to = 0; to < 8; ++to)
      for (int port = 0; port < 3; ++port)
        CHECK(banks.bank_between(to ^ (1 << port), to) == bank(banks, to, port));
  }
  // From 0 to 6 by e-cube the last link is dimension 2; by peer it is the sender's bank all the same.
  CHECK(eight(hypercube{}, Banks::spread).bank_between(0, 6) ==
        bank(eight(hypercube{}, Banks::spread), 6, 2));
  CHECK(eight(hypercube{}, Banks::peer).bank_between(0, 6) == 0);
}

TEST_CASE("what is of no one port lies on one bank only if all ports' buffers do") {
  for (Rank node = 0; node < 8; ++node) {
    CHECK(eight(ring{}, Banks::owner).bank_of_all(node) == node / 2);
    CHECK(eight(ring{}, Banks::one).bank_of_all(node) == 0);
    for (const Banks policy : {Banks::peer, Banks::spread, Banks::interleave})
      CHECK(eight(ring{}, policy).bank_of_all(node) == every_bank);
  }
}

TEST_CASE("banks are NUMA nodes with memory; nodes elsewhere begin with the first of them") {
  Machine machine = four;
  CHECK(banks_of(machine) == std::vector{0, 1, 2, 3});
  machine.numas[0].bytes = machine.numas[2].bytes = 0;
  for (const std::size_t numa : {std::size_t{1}, std::size_t{3}}) machine.numas[numa].bytes = 1 << 20;
  CHECK(banks_of(machine) == std::vector{1, 3});
  const PortBanks banks(machine, compact_mapping(machine, 8), Topology(hypercube{}, 8), Banks::spread);
  CHECK(bank(banks, 0, 0) == 1);
  CHECK(bank(banks, 0, 1) == 3);
  CHECK(bank(banks, 2, 0) == 1);
  CHECK(bank(banks, 6, 1) == 1);
  for (NumaNode& numa : machine.numas) numa.bytes = 0;  // unknown
  CHECK(banks_of(machine).size() == 4);
}

TEST_CASE("a mapping of other nodes is refused") {
  CHECK_THROWS_WITH_AS(PortBanks(four, compact_mapping(four, 4), Topology(ring{}, 8), Banks::owner),
                       "a mapping of 4 nodes is none of ring", UsageError);
}
