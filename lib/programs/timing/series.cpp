#include "timing/series.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "statistics/statistics.hpp"
#include "timing/clock.hpp"

namespace vnode {
namespace {

// An entry this long after the deadline is late: three readings of the clock.
constexpr double punctual_us = 0.06;

// What a call takes: two readings of the clock with nothing in between are apart by its cost.
double net_us(Ticks between) {
  const Clock& clock = the_clock();
  return clock.us(between - std::min(between, clock.cost));
}

}  // namespace

std::vector<double> Series::all() const {
  std::vector<double> times;
  for (const auto& lap : laps) times.insert(times.end(), lap.begin(), lap.end());
  return times;
}

std::vector<double> Series::medians() const {
  std::vector<double> medians;
  for (const auto& lap : laps) medians.push_back(median(lap));
  return medians;
}

void Series::keep(const Stamps& stamps, std::size_t first, std::size_t calls, Loop loop, double repeats) {
  const Ticks late_ticks = the_clock().ticks(punctual_us);
  std::vector<double>& kept = laps.emplace_back();
  inside_us.resize(stamps.size());
  for (std::size_t call = first; call < first + calls; ++call) {
    Ticks entry = std::numeric_limits<Ticks>::max(), exit = 0;
    double inside = 0;
    bool punctual = true;
    for (std::size_t rank = 0; rank < stamps.size(); ++rank) {
      const Stamp& stamp = stamps[rank][call];
      entry = std::min(entry, stamp.entry);
      exit = std::max(exit, stamp.exit);
      punctual = punctual && stamp.entry <= stamp.deadline + late_ticks;
      if (loop == Loop::completion) continue;
      const double us = net_us(stamp.exit - stamp.entry) / repeats;
      inside += us;
      inside_us[rank] += us;
    }
    if (loop == Loop::osu)
      kept.push_back(inside / static_cast<double>(stamps.size()));
    else
      (punctual ? kept : late_us).push_back(net_us(exit - entry) / repeats);
  }
}

}  // namespace vnode
