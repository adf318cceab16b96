#include "measure/contest.hpp"

#include <doctest/doctest.h>
#include <stdexcept>

#include <vnode/error.hpp>

#include "command_line/rows.hpp"
#include "command_line/selection.hpp"

using namespace vnode::bench;
using vnode::Node;
using vnode::Rank;
using vnode::Team;

namespace {

Contestant idle(const char* by) {
  return {.by = by, .call = [](const Seat&) {}};
}

Effort effort(int iterations, std::optional<int> checks = {}) {
  return {.warmup = 1, .iterations = iterations, .core_each = false, .checks = checks};
}

}  // namespace

TEST_CASE("every contestant is called and timed as often as asked for") {
  Team team{3};
  Question question;
  question.collective = false;
  question.contestants = {idle("one"), idle("two")};
  const Outcome outcome = measure(team, question, effort(23));
  REQUIRE(outcome.series.size() == 2);
  for (const Series& series : outcome.series) {
    CHECK(series.all().size() + series.late == 23);
    CHECK(series.medians().size() == series.laps.size());
  }
  CHECK(outcome.limit().empty());
}

TEST_CASE("every call sees new data, written by its owner") {
  Team team{2};
  Question question;
  question.collective = false;
  std::vector<Iteration> written(2, ~Iteration{0});
  question.contestants = {
      {.by = "one", .call = [&](const Seat& seat) { written[static_cast<std::size_t>(seat.rank)] = 0; }}};
  question.rewrite = [&](const Seat& seat, Iteration iteration) {
    written[static_cast<std::size_t>(seat.rank)] = iteration + 1;
  };
  question.wrong = [&](const Seat&, const Contestant&, Iteration) -> std::size_t { return 1; };
  const Outcome outcome = measure(team, question, effort(10, 10));
  CHECK(outcome.series[0].wrong == 22);  // both callers, the warm-up and every call
}

TEST_CASE("the limit of a lap is the largest of the limits") {
  Outcome outcome;
  outcome.limits = {{"line", "spin", 1, {}, {1, 5, 2}}, {"copy", "pull", 1, {}, {3, 4, 2}}};
  CHECK(outcome.limit() == std::vector<double>{3, 5, 2});
  CHECK(outcome.called("copy").variant == "pull");
}

TEST_CASE("a ratio is taken lap by lap") {
  CHECK(*ratio({2, 30, 400}, {1, 10, 100}) == 3);
  CHECK_FALSE(ratio({2, 3}, {}));
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

TEST_CASE("a node that fails ends the measurement with its own exception") {
  Team team{2};
  Question question;
  question.collective = false;
  question.contestants = {{.by = "one", .call = [](const Seat& seat) {
                             if (seat.rank == 1) throw std::runtime_error{"broken"};
                           }}};
  CHECK_THROWS_WITH(measure(team, question, effort(5)), "broken");
  team.run([](Node& me) { me.barrier(); });
}

TEST_CASE("a name is accepted short and full, and refused with a reason") {
  const vnode::Topology six{vnode::full{}, 6};
  const Operation& broadcast = operation("broadcast");
  CHECK(select(broadcast, "auto", six, {0}).algorithms == std::vector<std::string>{""});
  CHECK(select(broadcast, "binomial", six, {0}).algorithms == std::vector<std::string>{"broadcast_binomial"});
  CHECK(select(broadcast, "broadcast_binomial", six, {0}).algorithms ==
        std::vector<std::string>{"broadcast_binomial"});
  CHECK_THROWS_WITH_AS(select(broadcast, "hypercube", six, {0}), doctest::Contains("power of two"),
                       vnode::UsageError);
  CHECK_THROWS_AS(select(broadcast, "reduce_binomial", six, {0}), vnode::UsageError);
  CHECK_THROWS_AS(select(operation("send"), "binomial", six, {0}), vnode::UsageError);
  const Selection all = select(broadcast, "all", six, {0, 5});
  CHECK(all.algorithms.size() >= 2);
  CHECK(all.skipped.size() >= 1);
  CHECK_THROWS_WITH_AS(operation("frobnicate"), doctest::Contains("broadcast, reduce, all_gather"),
                       vnode::UsageError);
}
