#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include <vnode/team.hpp>

#include "commands/team.hpp"
#include "report/text.hpp"
#include "statistics/statistics.hpp"
#include "targets/target.hpp"
#include "timing/clock.hpp"

namespace vnode::bench {
namespace {

constexpr int samples = 2000;
constexpr int calls = 100;  // timed together where one is too short for the clock
constexpr int laps_of_counting = 200;

// Returns the microseconds of one call; the plans are there after the first sample.
template <class Call>
double each(Call call) {
  std::vector<double> times;
  for (int sample = 0; sample < samples; ++sample) {
    const Ticks before = now_after();
    for (int i = 0; i < calls; ++i) call();
    times.push_back(the_clock().us(now_after() - before) / calls);
  }
  return median(times);
}

/// Measures what counting adds to a call: a team that counts makes the same call in the same laps.
Verdict counting(const char* what, const Options& options, int nodes, void (*call)(Node&)) {
  const auto plain = team_of(options, nodes);
  TeamOptions counted = options.team_options();
  counted.statistics = true;
  Team counts(nodes, counted);
  std::vector<double> without, with;
  for (int lap = 0; lap < laps_of_counting; ++lap)
    for (const auto& [team, times] : {std::pair(plain.get(), &without), std::pair(&counts, &with)})
      team->run([&, times = times](Node& me) {
        for (int i = 0; i < calls; ++i) call(me);
        const Ticks before = now_after();
        for (int i = 0; i < calls; ++i) call(me);
        if (me.rank() == 0) times->push_back(the_clock().us(now_after() - before) / calls);
      });
  const double usual = median(without);
  return {.what = what,
          .target = "60 ns more",
          .measured = median(with),
          .against = usual,
          .bound = usual + 0.06};
}

Verdict call(const char* what, double us) {
  return {.what = what, .target = "40 ns", .measured = us, .bound = 0.04};
}

}  // namespace

Verdicts overheads(const Options& options) {
  Verdicts verdicts;
  const auto alone = team_of(options, 1);
  alone->run([&](Node& me) {
    std::array<double, 1> x{1};
    verdicts.push_back(call("broadcast 8 at p = 1", each([&] { me.broadcast(x); })));
    verdicts.push_back(call("reduce 8 at p = 1", each([&] { me.reduce(x, std::plus<>{}); })));
    verdicts.push_back(call("barrier at p = 1", each([&] { me.barrier(); })));
  });
  verdicts.push_back(counting("broadcast 8 at p = 1, counted", options, 1, [](Node& me) {
    std::array<double, 1> x{1};
    me.broadcast(x);
  }));
  verdicts.push_back(counting("all_reduce 8 at p = 2, counted", options, 2, [](Node& me) {
    std::array<double, 1> x{1};
    me.all_reduce(x, std::plus<>{});
  }));
  const auto two = team_of(options, 2);
  std::vector<double> runs;
  for (int run = 0; run < samples; ++run) {
    const Ticks before = now_after();
    two->run([](Node&) {});
    runs.push_back(the_clock().us(now_after() - before));
  }
  verdicts.push_back(
      {.what = "Team::run on warm nodes", .target = "1 us", .measured = median(runs), .bound = 1});
  return verdicts;
}

}  // namespace vnode::bench
