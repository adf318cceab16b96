#include "measure/contest.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>

#include <vnode/error.hpp>

#include "measure/openmp_host.hpp"
#include "measure/statistics.hpp"

namespace vnode::bench {
namespace {

constexpr int usual_laps = 10;
constexpr int probes = 2;
constexpr int most_more_laps = 10;
constexpr double late_us =
    0.06;  // an entry this long after the deadline is late: three readings of the clock
constexpr double batch_us = 200;  // what a batch of calls should last where callers share cores
// A contestant's first calls of a lap undo what the one before has done to caches and branch predictors.
constexpr int settling_share = 4, most_settling = 8;
constexpr int variants_kept = 2;  // of each limit, after the warm-up

struct Stamp {
  Ticks deadline = 0, entry = 0, exit = 0;
};

struct Entrant {
  Contestant* contestant;
  Series series;
  int batch = 1;  // calls between two meetings
  bool running = true;
};

class Contest {
 public:
  Contest(Team& team, Question& question, const Effort& effort)
      : team_(team),
        question_(question),
        spinning_(effort.core_each),
        check_all_(effort.check_all),
        gate_(team.size(), spinning_) {
    for (Contestant& contestant : question.contestants) entrants_.push_back({&contestant, {}});
    for (Limit& limit : question.limits)
      for (Contestant& variant : limit.variants) entrants_.push_back({&variant, {}});
  }

  // Everybody is called `iterations` times; the times are kept as a lap of each.
  void lap(int iterations) {
    lap(Host::team, iterations);
    lap(Host::openmp, iterations);
  }

  // After the warm-up: forgets its times, lets the slow variants of the limits go, sets the batches.
  void begin() {
    std::size_t first = question_.contestants.size();
    for (const Limit& limit : question_.limits) {
      keep_fastest(std::span{entrants_}.subspan(first, limit.variants.size()));
      first += limit.variants.size();
    }
    for (Entrant& entrant : entrants_) {
      if (!spinning_) entrant.batch = batch(entrant);
      entrant.series.laps.clear();
      entrant.series.late = 0;
    }
  }

  // Somebody has no time at all: on a busy machine every call may have been late.
  bool lacking() const {
    return std::ranges::any_of(
        entrants_, [](const Entrant& entrant) { return entrant.running && entrant.series.all().empty(); });
  }

  Outcome outcome() {
    Outcome outcome;
    auto entrant = entrants_.begin();
    for (std::size_t i = 0; i < question_.contestants.size(); ++i)
      outcome.series.push_back(std::move((entrant++)->series));
    for (const Limit& limit : question_.limits) {
      const auto fastest = fastest_of(std::span{entrant, limit.variants.size()});
      if (fastest->series.wrong > 0)
        throw SystemError{fmt::format("the limit {}, {}, computes wrong on this machine", limit.name,
                                      fastest->contestant->by)};
      LimitTimes times{limit.name, fastest->contestant->by, limit.times, fastest->series,
                       fastest->series.medians()};
      for (double& us : times.medians) us *= limit.times;
      outcome.limits.push_back(std::move(times));
      entrant += static_cast<std::ptrdiff_t>(limit.variants.size());
    }
    return outcome;
  }

 private:
  void lap(Host host, int iterations) {
    std::vector<Entrant*> field;
    for (Entrant& entrant : entrants_)
      if (entrant.running && entrant.contestant->host == host) field.push_back(&entrant);
    if (field.empty()) return;
    const std::size_t calls = field.size() * static_cast<std::size_t>(iterations);
    std::vector<std::vector<Stamp>> stamps(static_cast<std::size_t>(team_.size()), std::vector<Stamp>(calls));
    const auto body = [&](const Seat& seat) { turns(seat, field, iterations, stamps); };
    if (host == Host::openmp)
      run_openmp(team_, body);
    else
      team_.run([&](Node& me) { body(Seat{me.rank(), &me}); });
    iteration_ += 2 * calls;  // the settling calls are no more than those that count, or one each
    ++laps_;
    keep(field, iterations, stamps);
  }

  // What one caller does in a lap.
  void turns(const Seat& seat, std::span<Entrant* const> field, int iterations,
             std::vector<std::vector<Stamp>>& stamps) try {
    std::vector<Stamp>& mine = stamps[static_cast<std::size_t>(seat.rank)];
    const int settling = std::clamp(iterations / settling_share, 1, most_settling);
    for (std::size_t turn = 0; turn < field.size(); ++turn) {
      const std::size_t place = (turn + laps_) % field.size();
      for (int i = -settling; i < iterations; ++i) {
        Entrant& entrant = *field[place];
        const Iteration iteration = iteration_ + place * static_cast<std::size_t>(iterations + settling) +
                                    static_cast<std::size_t>(i + settling);
        const Stamp stamp = call(seat, entrant, iteration);
        if (i >= 0) mine[place * static_cast<std::size_t>(iterations) + static_cast<std::size_t>(i)] = stamp;
        if (seat.rank == 0 && i == -settling && question_.collective && entrant.contestant->by == "vnode")
          entrant.contestant->algorithm = seat.node->last_algorithm();
        gate_.meet(seat.rank);
        if (check_all_ || i + 1 == iterations) check(seat, entrant, iteration);
      }
    }
  } catch (const GateClosed&) {
    // Another caller has failed: its exception is the one to end with, whoever is first out.
  } catch (...) {
    gate_.close();
    throw;
  }

  Stamp call(const Seat& seat, const Entrant& entrant, Iteration iteration) {
    question_.rewrite(seat, iteration);
    const Gate::Passage passage = gate_.release(seat.rank);
    for (int call = 0; call < entrant.batch; ++call) entrant.contestant->call(seat);
    return {passage.deadline, passage.entry, now_after()};
  }

  void check(const Seat& seat, Entrant& entrant, Iteration iteration) {
    if (!entrant.contestant->delivers) return;
    if (entrant.batch > 1) once_more(seat, *entrant.contestant, iteration);
    const std::size_t wrong = question_.wrong(seat, *entrant.contestant, iteration);
    std::atomic_ref{entrant.series.wrong}.fetch_add(wrong, std::memory_order_relaxed);
    gate_.meet(seat.rank);
  }

  // After a batch the vectors show what several calls have done to them: one call on new data can be checked.
  void once_more(const Seat& seat, Contestant& contestant, Iteration iteration) {
    question_.rewrite(seat, iteration);
    gate_.meet(seat.rank);
    contestant.call(seat);
    gate_.meet(seat.rank);
  }

  void keep(std::span<Entrant* const> field, int iterations, const std::vector<std::vector<Stamp>>& stamps) {
    const Ticks late = the_clock().ticks(late_us);
    for (std::size_t place = 0; place < field.size(); ++place) {
      Entrant& entrant = *field[place];
      std::vector<double>& kept = entrant.series.laps.emplace_back();
      for (std::size_t i = 0; i < static_cast<std::size_t>(iterations); ++i) {
        const std::size_t slot = place * static_cast<std::size_t>(iterations) + i;
        Ticks first = std::numeric_limits<Ticks>::max(), last = 0;
        bool punctual = true;
        for (const std::vector<Stamp>& of_rank : stamps) {
          const Stamp& stamp = of_rank[slot];
          first = std::min(first, stamp.entry);
          last = std::max(last, stamp.exit);
          punctual = punctual && stamp.entry <= stamp.deadline + late;
        }
        if (punctual)
          kept.push_back(net_us(last - first) / (entrant.contestant->repeats * entrant.batch));
        else
          ++entrant.series.late;
      }
    }
  }

  // What a call takes: two readings of the clock with nothing in between are apart by its cost.
  static double net_us(Ticks between) {
    const Clock& clock = the_clock();
    return clock.us(between - std::min(between, clock.cost));
  }

  static double time(const Entrant& entrant) { return median(entrant.series.all()); }

  // NaN, where every call was late, counts as slow.
  static bool faster(const Entrant& a, const Entrant& b) {
    return std::isnan(time(b)) ? !std::isnan(time(a)) : time(a) < time(b);
  }

  static void keep_fastest(std::span<Entrant> variants) {
    std::vector<Entrant*> order;
    for (Entrant& variant : variants) order.push_back(&variant);
    std::ranges::stable_sort(order, [](const Entrant* a, const Entrant* b) { return faster(*a, *b); });
    for (std::size_t i = variants_kept; i < order.size(); ++i) order[i]->running = false;
  }

  static const Entrant* fastest_of(std::span<const Entrant> variants) {
    const Entrant* fastest = nullptr;
    for (const Entrant& variant : variants)
      if (variant.running && (!fastest || faster(variant, *fastest))) fastest = &variant;
    return fastest;
  }

  static int batch(const Entrant& entrant) {
    const double us = time(entrant) * entrant.contestant->repeats;
    return std::isnan(us) ? 1 : static_cast<int>(std::clamp(batch_us / us, 1.0, 100.0));
  }

  Team& team_;
  Question& question_;
  const bool spinning_, check_all_;
  Gate gate_;
  std::vector<Entrant> entrants_;
  Iteration iteration_ = 0;
  std::size_t laps_ = 0;
};

using SteadyClock = std::chrono::steady_clock;

// The iterations of each lap.
std::vector<int> laps(int iterations) {
  std::vector<int> laps(static_cast<std::size_t>(std::min(usual_laps, iterations)));
  for (int i = 0; i < iterations; ++i) ++laps[static_cast<std::size_t>(i) % laps.size()];
  return laps;
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

const LimitTimes& Outcome::limit_called(std::string_view name) const {
  return *std::ranges::find(limits, name, &LimitTimes::name);
}

std::vector<double> Outcome::limit() const {
  std::vector<double> largest;
  for (const LimitTimes& limit : limits) {
    largest.resize(limit.medians.size(), 0);
    for (std::size_t lap = 0; lap < largest.size(); ++lap)
      largest[lap] = std::fmax(largest[lap], limit.medians[lap]);
  }
  return largest;
}

Outcome measure(Team& team, Question& question, const Effort& effort,
                const std::function<void(double)>& measured) {
  Contest contest{team, question, effort};
  if (effort.warmup > 0) contest.lap(effort.warmup);
  contest.begin();
  std::vector<int> plan;
  if (effort.iterations) {
    plan = laps(*effort.iterations);
  } else {
    const auto start = SteadyClock::now();
    contest.lap(probes);
    const double each =
        std::max(std::chrono::duration<double>(SteadyClock::now() - start).count() / probes, 1e-9);
    plan = laps(static_cast<int>(std::clamp(effort.seconds / each, 2.0, 2000.0)));
    contest.begin();
  }
  for (std::size_t lap = 0; lap < plan.size(); ++lap) {
    contest.lap(plan[lap]);
    if (measured) measured(static_cast<double>(lap + 1) / static_cast<double>(plan.size()));
  }
  for (int more = 0; more < most_more_laps && contest.lacking(); ++more) contest.lap(plan.back());
  return contest.outcome();
}

}  // namespace vnode::bench
