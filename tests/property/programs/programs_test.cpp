#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <string>

#include "last_words.hpp"
#include "run.hpp"

using namespace vnode_test;

namespace {

int number_of_seeds() {
  if (std::getenv("VNODE_SOAK") != nullptr) return 100000;
  const char* trials = std::getenv("VNODE_TRIALS");  // of stress tests
  return trials != nullptr ? std::atoi(trials) / 10 : 1000;
}

struct Tally {
  int programs = 0, faults = 0, survived = 0;
};

/// A run with a fault ends with it, and afterwards the same team runs the whole program.
void try_seed(std::uint64_t seed, Tally& tally) {
  const Program program = generated(seed);
  INFO(program.text());
  const LastWords words(program.text());
  vnode::Team team(program.nodes(), program.groups.front().topology.shape(), program.options);
  std::string wrong;
  if (program.fault) {
    ++tally.faults;
    try {
      run(team, program, true, wrong);
      // Only an operator that was not applied often enough may let it through.
      REQUIRE(program.fault->fuse > 0);
      ++tally.survived;
    } catch (const Thrown&) {
    }
    REQUIRE(wrong == "");
  }
  REQUIRE_NOTHROW(run(team, program, false, wrong));
  REQUIRE(wrong == "");
  ++tally.programs;
}

}

TEST_CASE("random programs have the results of their sequential definitions, and leave teams in order") {
  Tally tally;
  if (const char* seed = std::getenv("VNODE_SEED")) {
    try_seed(std::strtoull(seed, nullptr, 10), tally);
    return;
  }
  const auto seeds = static_cast<std::uint64_t>(number_of_seeds());
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) try_seed(seed, tally);
  MESSAGE(tally.programs << " programs; in " << tally.faults << " of them a node was to throw, "
                         << tally.survived << " of these it did not come to");
}
