#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "commands/guidelines.hpp"
#include "commands/team.hpp"
#include "report/text.hpp"
#include "statistics/statistics.hpp"
#include "targets/target.hpp"
#include "timing/clock.hpp"

namespace vnode::bench {
namespace {

constexpr int samples = 2000;
constexpr int calls = 100;  // timed together where one is too short for the clock

// Microseconds of one call; the plans are there after the first sample.
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

Verdict call(const char* what, double us) {
  return {.what = what, .target = "40 ns", .line_ns = {}, .measured = us, .against = {}, .bound = 0.04};
}

constexpr double promised = 1.1;

Verdict verdict(const Operation& operation, std::size_t bytes, const AutoBeside& both) {
  return {.what = fmt::format("auto {}, {}", with_bytes(operation.name, bytes), both.chosen),
          .target = fmt::format("{} {}", promised, both.best),
          .line_ns = {},
          .measured = both.ratio * both.best_us,
          .against = both.best_us,
          .bound = promised * both.best_us};
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
  const auto two = team_of(options, 2);
  std::vector<double> runs;
  for (int run = 0; run < samples; ++run) {
    const Ticks before = now_after();
    two->run([](Node&) {});
    runs.push_back(the_clock().us(now_after() - before));
  }
  verdicts.push_back({.what = "Team::run on warm nodes",
                      .target = "1 us",
                      .line_ns = {},
                      .measured = median(runs),
                      .against = {},
                      .bound = 1});
  return verdicts;
}

Verdicts choices_between_two_cores(const Options& options) {
  const auto team = team_of(options, 2);
  Options by_four = options;
  by_four.factor = 4;
  Verdicts verdicts;
  for (const Collective collective : collectives()) {
    const Operation& chosen = operation(enums::name(collective));
    Verdicts of_sizes;
    for (const std::size_t bytes : sizes_of(by_four, chosen))
      of_sizes.push_back(verdict(chosen, bytes, auto_beside_best(*team, options, chosen, bytes, true)));
    const auto excess = [](const Verdict& one) { return one.measured / one.bound; };
    const auto worst = std::ranges::max_element(of_sizes, {}, excess);
    for (auto each = of_sizes.begin(); each != of_sizes.end(); ++each)
      if (each == worst || !each->met()) verdicts.push_back(*each);
  }
  return verdicts;
}

}  // namespace vnode::bench
