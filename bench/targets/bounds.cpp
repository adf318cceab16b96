#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "statistics/statistics.hpp"
#include "targets/target.hpp"

namespace vnode::bench {
namespace {

// Returns the bound of a term in a lap, or NaN, which fmin and fmax pass over, where nothing was measured.
double at(const Term& term, const Observation& observation, std::size_t lap) {
  const std::vector<double>& us = observation.*term.of;
  return us.empty() ? std::nan("") : term.factor * us[lap] + term.extra_ns / 1000;
}

constexpr std::size_t page_sizes[]{8, kib, 64 * kib, mib, 8 * mib};
constexpr double none = 0;

struct Line {
  std::string_view operation;
  double mpi[std::size(page_sizes)], thread_mpi[std::size(page_sizes)];
};

constexpr Line lines[]{
    {"broadcast", {.20, .36, 5.7, 93, 1001}, {.45, .42, 2.35, 55, 905}},
    {"reduce", {.35, .48, 7.7, 159, 1702}, {.33, .33, 2.96, 106, 1368}},
    {"all_reduce", {.56, .87, 17.4, 301, 3922}, {.80, .94, 10.4, 201, 2814}},
    {"all_gather", {.35, .96, 11.9, 229, 4337}, {none, none, none, none, none}},
    {"all_to_all", {.55, 1.03, 10.2, 223, 4311}, {.80, .80, 6.25, 167, 3501}},
    {"scatter", {.21, .70, 7.3, 138, 2302}, {.45, .42, 2.5, 57, 1361}},
    {"gather", {.33, .65, 8.8, 163, 2443}, {.47, .48, 5.0, 151, 3169}},
    {"reduce_scatter", {.49, 1.07, 12.4, 177, 2473}, {none, none, none, none, none}},
    {"scan", {.13, .82, 14.5, 259, 3572}, {.32, .31, 4.9, 144, 3078}},
};

std::optional<double> figure(double us) { return us > none ? std::optional{us} : std::nullopt; }

}  // namespace

std::vector<double> bounds(const Promise& promise, const Observation& observation) {
  std::vector<double> bounds;
  bool any = false;
  for (std::size_t lap = 0; lap < observation.ours.size(); ++lap) {
    double bound = std::nan("");
    for (const Term& term : promise.all_of) bound = std::fmin(bound, at(term, observation, lap));
    if (promise.or_else) bound = std::fmax(bound, at(*promise.or_else, observation, lap));
    bounds.push_back(bound);
    any = any || std::isfinite(bound);
  }
  return any ? bounds : std::vector<double>{};
}

std::vector<Regime> regimes(const std::vector<double>& line_us) {
  std::array<Regime, 3> by_line;  // hyper-threads of one core; two cores; worse
  for (std::size_t lap = 0; lap < line_us.size(); ++lap) {
    if (std::isnan(line_us[lap])) continue;
    by_line[line_us[lap] < 0.03 ? 0 : line_us[lap] <= 0.2 ? 1 : 2].laps.push_back(lap);
  }
  std::vector<Regime> seen;
  for (Regime& regime : by_line)
    if (!regime.laps.empty()) seen.push_back(std::move(regime));
  return seen;
}

double middle(const std::vector<double>& of_laps, const Regime& regime) {
  std::vector<double> values;
  for (const std::size_t lap : regime.laps) values.push_back(of_laps[lap]);
  return median(numbers(values));
}

void beside_by_hand(Team& team, Question& question, const Effort& effort, const std::string& what,
                    const std::string& target, double factor, Verdicts& verdicts) {
  const Timings outcome = measure(team, question, effort);
  const double by_hand = median(outcome.series.back().medians());
  for (std::size_t i = 0; i + 1 < outcome.series.size(); ++i)
    verdicts.push_back({.what = question.contestants[i].by + what,
                        .target = target,
                        .measured = median(outcome.series[i].medians()),
                        .against = by_hand,
                        .bound = factor * by_hand});
}

PageFigure page_figure(std::string_view operation, std::size_t bytes) {
  const auto line = std::ranges::find(lines, operation, &Line::operation);
  const auto size = std::ranges::find(page_sizes, bytes);
  if (line == std::end(lines) || size == std::end(page_sizes)) return {operation, bytes, {}, {}};
  const auto column = static_cast<std::size_t>(size - std::begin(page_sizes));
  return {operation, bytes, figure(line->mpi[column]), figure(line->thread_mpi[column])};
}

std::optional<double> page_copy_us(std::size_t bytes) {
  if (bytes == 64 * kib) return 5.4;
  if (bytes == mib) return 91;
  if (bytes == 8 * mib) return 1180;
  return std::nullopt;
}

}  // namespace vnode::bench
