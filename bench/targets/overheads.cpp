#include <array>

#include "command_line/team.hpp"
#include "measure/clock.hpp"
#include "statistics/statistics.hpp"
#include "targets/target.hpp"

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

}  // namespace vnode::bench
