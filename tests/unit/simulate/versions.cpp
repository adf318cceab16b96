#include <doctest/doctest.h>
#include <random>
#include <vector>

#include "simulate/dependencies.hpp"

using namespace vnode;

TEST_CASE("versions of blocks are those of a table with a place for every block") {
  constexpr int blocks = 20;
  std::mt19937 random(1);
  const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
  for (int trial = 0; trial < 200; ++trial) {
    Versions versions;
    std::vector<int> table(blocks, Versions::initial);
    for (int version = 0; version < 12; ++version) {
      const int first = below(blocks), last = first + 1 + below(blocks - first);
      versions.assign(first, last, version);
      for (int block = first; block < last; ++block) table[static_cast<std::size_t>(block)] = version;
      for (int block = 0; block < blocks; ++block)
        versions.visit(block, block + 1,
                       [&](int found) { CHECK(found == table[static_cast<std::size_t>(block)]); });
    }
    // An assignment adds two pieces at most, however many blocks there are.
    int pieces = 0;
    versions.visit(0, blocks, [&](int) { ++pieces; });
    CHECK(pieces <= 2 * 12 + 1);
  }
}
