#include "timing/contest.hpp"

#include <cmath>
#include <doctest/doctest.h>

#include <vnode/error.hpp>

#include "collectives/question.hpp"
#include "commands/rows.hpp"
#include "commands/selection.hpp"
#include "sanitizer.hpp"

using namespace vnode;
using namespace vnode::bench;

namespace {

Effort effort(int iterations, std::optional<int> checks = {}) {
  return {.warmup = 1, .iterations = iterations, .core_each = false, .checks = checks};
}

}  // namespace

TEST_CASE("oneTBB's contestants do the work of all callers" * doctest::skip(thread_sanitizer)) {
  Team team{3};
  const auto made = task(vnode::Collective::scan, false, {.nodes = 3, .bytes = 100000});
  Question question = collective_question(made);
  question.limits.clear();
  question.contestants = {collective_tbb(made)};
  CHECK(measure(team, question, effort(5, 5)).series[0].wrong == 0);
}

TEST_CASE("a ratio is taken lap by lap, and is none of fewer laps than are asked for") {
  CHECK(*ratio({2, 30, 400}, {1, 10, 100}) == 3);
  CHECK_FALSE(ratio({2, 3}, {}));
  CHECK(ratio({2, 30, std::nan("")}, {1, 10, 100}, 2));
  CHECK_FALSE(ratio({2, 30, std::nan("")}, {1, 10, 100}, 3));
}

TEST_CASE("of several roots the slowest is reported, and no wrong element is forgotten") {
  Row fast, slow;
  fast.root = 0, fast.time_us.median = 1, fast.wrong = 2;
  slow.root = 3, slow.time_us.median = 4, slow.wrong = 0;
  const std::vector<Row> rows = worst({{fast}, {slow}});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].root == 3);
  CHECK(rows[0].wrong == 2);
}

TEST_CASE("a name is accepted short and full, and refused with a reason") {
  const vnode::Topology six{vnode::shapes::full{}, 6};
  const Operation& broadcast = operation("broadcast");
  CHECK(select(broadcast, "auto", six, {0}).algorithms == std::vector<std::string>{""});
  CHECK(select(broadcast, "binomial", six, {0}).algorithms == std::vector<std::string>{"broadcast_binomial"});
  CHECK(select(broadcast, "broadcast_binomial", six, {0}).algorithms ==
        std::vector<std::string>{"broadcast_binomial"});
  CHECK_THROWS_WITH_AS(select(broadcast, "hypercube", six, {0}), doctest::Contains("power of two"),
                       vnode::UsageError);
  CHECK_THROWS_AS(select(broadcast, "reduce_binomial", six, {0}), vnode::UsageError);
  CHECK_THROWS_AS(select(operation("send"), "binomial", six, {0}), vnode::UsageError);
  CHECK_THROWS_WITH_AS(select(operation("all_reduce"), "two_tree", six, {0}, 1, true),
                       doctest::Contains("canonical expression"), vnode::UsageError);
  CHECK(select(broadcast, "binomial", six, {0}, 1, true).algorithms.size() == 1);
  const Selection all = select(broadcast, "all", six, {0, 5});
  CHECK(all.algorithms.size() >= 2);
  CHECK(all.skipped.size() >= 1);
  CHECK_THROWS_WITH_AS(operation("brodcast"), doctest::Contains("did you mean broadcast?"),
                       vnode::UsageError);
}
