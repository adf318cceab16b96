#include "timing/contest.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <stdexcept>

#include "statistics/statistics.hpp"
#include "timing/affinity.hpp"
#include "timing/clock.hpp"

using namespace vnode;

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
  const Timings timings = measure(team, question, effort(23));
  REQUIRE(timings.series.size() == 2);
  for (const Series& series : timings.series) {
    CHECK(series.all().size() + series.late_us.size() == 23);
    CHECK(series.medians().size() == series.laps.size());
  }
  CHECK(timings.limit().empty());
}

TEST_CASE("nodes have a core each as far as they are put on different ones") {
  const Machine machine = Machine::discover();
  const std::string pu = std::to_string(affinity().front());
  TeamOptions on_one;
  on_one.mapping = pu + "," + pu;
  Team alone{1}, together{2, shapes::full{}, on_one};
  CHECK(core_each(alone, machine));
  CHECK_FALSE(core_each(together, machine));
  Team many{machine.allowed_cores() + 1};
  CHECK_FALSE(core_each(many, machine));
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
  const Timings timings = measure(team, question, effort(10, 10));
  CHECK(timings.series[0].wrong == 22);  // both callers, the warm-up and every call
}

TEST_CASE("with a walk before each call a batch is one call, whoever shares cores") {
  Team team{2};
  Question question;
  question.collective = false;
  std::vector<int> calls(2);
  question.contestants = {
      {.by = "one", .call = [&](const Seat& seat) { ++calls[static_cast<std::size_t>(seat.rank)]; }}};
  Effort cold = effort(10, 0);
  cold.cold = 4096;
  CHECK(measure(team, question, cold).series[0].all().size() == 10);
  // One to settle in each of ten laps, and two in the warm-up.
  CHECK(calls == std::vector<int>(2, 22));
}

TEST_CASE("the limit of a lap is the largest of the limits") {
  Timings timings;
  const double unknown = std::nan("");
  timings.limits = {{"line", "spin", 1, {}, {1, 5, 2, unknown, 7}},
                    {"copy", "pull", 1, {}, {3, 4, 2, 6, unknown}}};
  const std::vector<double> limit = timings.limit();
  CHECK(std::vector<double>(limit.begin(), limit.begin() + 3) == std::vector<double>{3, 5, 2});
  CHECK(std::isnan(limit[3]));
  CHECK(std::isnan(limit[4]));
}

TEST_CASE(
    "in our loop a call lasts from the first entry to the last exit, and those with a late caller are "
    "dropped") {
  const Clock& clock = the_clock();
  const auto at = [&](double us) { return 1000000 + clock.ticks(us); };
  // Two callers, three calls; in the last one a caller enters half a microsecond after the deadline.
  const Stamps stamps{
      {{at(0), at(0), at(3) + clock.cost}, {at(10), at(10), at(12)}, {at(20), at(20.5), at(23)}},
      {{at(0), at(0.01), at(2)}, {at(10), at(10), at(15) + clock.cost}, {at(20), at(20), at(23)}}};
  Series series;
  series.keep(stamps, 0, 3, Loop::completion, 2);
  REQUIRE(series.laps.size() == 1);
  REQUIRE(series.laps[0].size() == 2);
  CHECK(series.laps[0][0] == doctest::Approx(1.5).epsilon(0.01));
  CHECK(series.laps[0][1] == doctest::Approx(2.5).epsilon(0.01));
  CHECK(series.late_us.size() == 1);
}

TEST_CASE("in OSU's loop a call lasts as long as each is inside, in the mean") {
  const Clock& clock = the_clock();
  const auto at = [&](double us) { return 1000000 + clock.ticks(us); };
  const Stamps stamps{{{0, at(0), at(1) + clock.cost}, {0, at(10), at(13) + clock.cost}},
                      {{0, at(2), at(5) + clock.cost}, {0, at(10), at(11) + clock.cost}}};
  Series series;
  series.keep(stamps, 0, 2, Loop::osu, 1);
  CHECK(series.late_us.size() == 0);
  CHECK(series.laps[0][0] == doctest::Approx(2).epsilon(0.01));
  CHECK(series.laps[0][1] == doctest::Approx(2).epsilon(0.01));
  CHECK(series.inside_us[0] == doctest::Approx(4).epsilon(0.01));
  CHECK(series.inside_us[1] == doctest::Approx(4).epsilon(0.01));
}

namespace {

// In another process, or so: every call takes `us`.
Contestant elsewhere(const char* by, double us, int& laps) {
  Contestant contestant{.by = by};
  contestant.lap = [=, &laps](const Lap& lap) {
    ++laps;
    const Stamp stamp{0, 0, the_clock().ticks(us * lap.batch) + the_clock().cost};
    return Stamps(2, std::vector<Stamp>(static_cast<std::size_t>(lap.iterations), stamp));
  };
  return contestant;
}

// Returns the same, but after `laps_in_time` laps somebody always enters late.
Contestant late_after(int laps_in_time, const char* by, double us, int& laps) {
  Contestant contestant = elsewhere(by, us, laps);
  contestant.lap = [=, &laps, in_time = contestant.lap](const Lap& lap) {
    Stamps stamps = in_time(lap);
    if (laps > laps_in_time)
      for (Stamp& stamp : stamps.front()) stamp.entry = the_clock().ticks(1);
    return stamps;
  };
  return contestant;
}

}  // namespace

TEST_CASE("of a peer's configurations the slow ones are let go after the warm-up, and the fastest counts") {
  Team team{2};
  Question question;
  question.collective = false;
  int slow = 0, middling = 0, fast = 0;
  question.beside = {
      {"peer",
       1,
       {elsewhere("slow", 300, slow), elsewhere("middling", 200, middling), elsewhere("fast", 100, fast)}}};
  const Timings timings = measure(team, question, effort(20));
  REQUIRE(timings.beside.size() == 1);
  CHECK(timings.beside[0].variant == "fast");
  CHECK(median(timings.beside[0].medians) == doctest::Approx(100).epsilon(0.01));
  CHECK(slow == 1);
  CHECK(middling == 11);
  CHECK(fast == 11);
  CHECK(timings.limit().empty());
}

TEST_CASE(
    "where all calls were late after the warm-up, variants that it has kept stay, and are told without a "
    "time") {
  Team team{2};
  Question question;
  question.collective = false;
  int slower = 0, slow = 0, fast = 0, faster = 0;
  question.beside = {{"peer",
                      1,
                      {late_after(1, "slower", 4, slower), late_after(1, "slow", 3, slow),
                       late_after(1, "fast", 2, fast), late_after(1, "faster", 1, faster)}}};
  Effort as_time_allows = effort(1);
  as_time_allows.iterations.reset();
  as_time_allows.seconds = 1e-9;
  const Timings timings = measure(team, question, as_time_allows);
  REQUIRE(timings.beside.size() == 1);
  CHECK(timings.beside[0].series.all().empty());
  CHECK(timings.beside[0].series.late_us.size() > 0);
  CHECK(slower == 1);
  CHECK(slow == 1);
  CHECK(fast > 2);
  CHECK(faster == fast);
}

TEST_CASE("a peer's wrong result is found") {
  Team team{2};
  Question question;
  question.collective = false;
  int laps = 0;
  std::vector<Iteration> asked;
  question.beside = {{"peer", 1, {elsewhere("only", 1, laps)}}};
  question.wrong = [&](const Seat& seat, const Contestant& contestant, Iteration iteration) -> std::size_t {
    CHECK(contestant.by == "only");
    asked.push_back(iteration);
    return seat.rank == 1 ? 3 : 0;
  };
  CHECK(measure(team, question, effort(5)).beside[0].series.wrong == 3);
  CHECK(asked.size() == 2);
  CHECK(asked[0] == asked[1]);
}

TEST_CASE("what is prepared before a lap is there in every call, for every node") {
  Team team{2};
  Question question;
  std::vector<int> prepared(2), finished(2), called_without(2);
  const auto of = [](std::vector<int>& counts, const Seat& seat) -> int& {
    return counts[static_cast<std::size_t>(seat.rank)];
  };
  Contestant one{.by = "one", .call = [&](const Seat& seat) {
                   if (of(prepared, seat) != of(finished, seat) + 1) ++of(called_without, seat);
                 }};
  one.prepare = [&](const Seat& seat) { ++of(prepared, seat); };
  one.finish = [&](const Seat& seat) { ++of(finished, seat); };
  question.contestants = {one};
  measure(team, question, effort(7));
  CHECK(prepared == std::vector<int>{8, 8});
  CHECK(finished == prepared);
  CHECK(called_without == std::vector<int>{0, 0});
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
