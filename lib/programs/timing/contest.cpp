#include "timing/contest.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include <vnode/error.hpp>

#include "statistics/statistics.hpp"
#include "timing/eviction.hpp"
#include "timing/gate.hpp"

namespace vnode {
namespace {

constexpr int usual_laps = 10;
constexpr int probes = 2;
constexpr int most_more_laps = 10;
// A contestant's first calls of a lap undo what the one before has done to caches and branch predictors.
constexpr int settling_share = 4, most_settling = 8;

/// Holds a contestant, or a variant of a choice, in a running measurement.
struct Entrant {
  Contestant* contestant;
  Series series{};
  int batch = 1;  ///< calls between two meetings
  bool running = true;
};

// What a batch of calls should last where callers share cores: much longer than it takes them to meet.
double batch_us(int callers) { return 200 + 2.0 * callers; }
constexpr int variants_kept = 2;  // of each choice, after the warm-up

double time(const Entrant& entrant) { return median(entrant.series.all()); }

// Tells whether a is faster; NaN, where every call was late, counts as slow.
bool faster(const Entrant& a, const Entrant& b) {
  return std::isnan(time(b)) ? !std::isnan(time(a)) : time(a) < time(b);
}

// Keeps the fastest of those that still run: one that was stopped has no times, and is no better than one
// whose calls were late.
void keep_fastest(std::span<Entrant> variants) {
  std::vector<Entrant*> order;
  for (Entrant& variant : variants)
    if (variant.running) order.push_back(&variant);
  std::ranges::stable_sort(order, [](const Entrant* a, const Entrant* b) { return faster(*a, *b); });
  for (std::size_t i = variants_kept; i < order.size(); ++i) order[i]->running = false;
}

Entrant* fastest_of(std::span<Entrant> variants) {
  Entrant* fastest = nullptr;
  for (Entrant& variant : variants)
    if (variant.running && (!fastest || faster(variant, *fastest))) fastest = &variant;
  return fastest;
}

int batch(const Entrant& entrant, int callers, int most) {
  const double us = time(entrant) * entrant.contestant->repeats;
  return std::isnan(us)
             ? 1
             : static_cast<int>(std::clamp(batch_us(callers) / us, 1.0, static_cast<double>(most)));
}

// Calls each(choice, its variants) for limits and what is measured beside.
template <class Each>
void for_choices(std::vector<Entrant>& entrants, const Question& question, Each each) {
  std::size_t first = question.contestants.size();
  for (const auto* choices : {&question.limits, &question.beside})
    for (const Choice& choice : *choices) {
      each(choice, std::span{entrants}.subspan(first, choice.variants.size()), choices == &question.limits);
      first += choice.variants.size();
    }
}

// Returns all of a question: the contestants, then the variants of limit after limit, then of what is
// measured beside.
std::vector<Entrant> entrants(Question& question) {
  std::vector<Entrant> all;
  for (Contestant& contestant : question.contestants) all.push_back({&contestant});
  for (auto* choices : {&question.limits, &question.beside})
    for (Choice& choice : *choices)
      for (Contestant& variant : choice.variants) all.push_back({&variant});
  return all;
}

// Holds those of a lap that are called by the same threads, one after the other.
struct Heat {
  const Host& host;
  std::vector<Entrant*> entrants;
  int settling, iterations;
  Iteration first;
  Gate* gate;
  Stamps stamps;

  std::size_t calls() const { return static_cast<std::size_t>(iterations); }
};

class Contest {
 public:
  Contest(Team& team, Question& question, const Effort& effort)
      : team_(team),
        question_(question),
        effort_(effort),
        gate_(team.size(), effort.core_each),
        alone_(1, true),
        eviction_(team.size(), effort.cold),
        entrants_(entrants(question)) {}

  // Calls each entrant `iterations` times, and keeps the times as a lap of each.
  void lap(int iterations) {
    std::vector<const Host*> hosts;
    for (const Entrant& entrant : entrants_)
      if (!entrant.contestant->lap && std::ranges::find(hosts, entrant.contestant->host) == hosts.end())
        hosts.push_back(entrant.contestant->host);
    for (const Host* const host : hosts) lap(*host, iterations);
    for (Entrant& entrant : entrants_)
      if (entrant.running && entrant.contestant->lap) elsewhere(entrant, iterations);
    counted_ += iterations;
    first_ = false;
  }

  // Ends the warm-up: lets the slow variants of every choice go, sets batches of calls where callers share
  // cores, and forgets the times.
  void begin() {
    for_choices(entrants_, question_,
                [](const Choice&, std::span<Entrant> variants, bool) { keep_fastest(variants); });
    for (Entrant& entrant : entrants_) {
      if (!effort_.core_each && effort_.cold == 0)
        entrant.batch = batch(entrant, team_.size(), effort_.most_batch);
      entrant.series = {.laps = {}, .inside_us = {}, .late_us = {}, .wrong = entrant.series.wrong};
    }
    counted_ = 0;
  }

  // Tells whether an entrant has no time at all: on a busy machine every call may have been late.
  bool lacking() const {
    return std::ranges::any_of(
        entrants_, [](const Entrant& entrant) { return entrant.running && entrant.series.all().empty(); });
  }

  Timings timings() {
    Timings timings;
    for_choices(entrants_, question_, [&](const Choice& choice, std::span<Entrant> variants, bool limit) {
      const Entrant* fastest = fastest_of(variants);
      if (limit && fastest->series.wrong > 0)
        throw SystemError{fmt::format("the limit {}, {}, computes a wrong result on this machine",
                                      choice.name, fastest->contestant->by)};
      ChoiceTimes times{choice.name, fastest->contestant->by, choice.times, fastest->series,
                        fastest->series.medians()};
      for (double& us : times.medians) us *= choice.times;
      (limit ? timings.limits : timings.beside).push_back(std::move(times));
    });
    for (std::size_t i = 0; i < question_.contestants.size(); ++i)
      timings.series.push_back(std::move(entrants_[i].series));
    return timings;
  }

 private:
  void lap(const Host& host, int iterations) {
    Heat heat{host,
              {},
              settling(iterations),
              iterations,
              iteration_,
              host.one_caller() ? &alone_ : &gate_,
              Stamps(host.one_caller() ? 1 : static_cast<std::size_t>(team_.size()))};
    for (Entrant& entrant : entrants_)
      if (entrant.running && !entrant.contestant->lap && entrant.contestant->host == &host)
        heat.entrants.push_back(&entrant);
    if (heat.entrants.empty()) return;
    for (auto& of_rank : heat.stamps) of_rank.resize(heat.entrants.size() * heat.calls());
    host.run(host.instead != nullptr ? *host.instead : team_,
             [&](const Seat& seat) { heat.gate->attend([&] { turns(seat, heat); }); });
    iteration_ += heat.entrants.size() * static_cast<std::size_t>(heat.settling + iterations);
    ++laps_;
    for (std::size_t place = 0; place < heat.entrants.size(); ++place)
      keep(*heat.entrants[place], heat.stamps, place * heat.calls(), heat.calls());
  }

  // Runs a lap in another process.
  void elsewhere(Entrant& entrant, int iterations) {
    const Lap lap{.first = iteration_,
                  .settling = settling(iterations),
                  .iterations = iterations,
                  .batch = entrant.batch,
                  .loop = effort_.loop,
                  .core_each = effort_.core_each,
                  .fetch = entrant.contestant->delivers && (effort_.checks ? *effort_.checks > 0 : first_),
                  .cold = effort_.cold};
    const Stamps stamps = entrant.contestant->lap(lap);
    iteration_ += static_cast<std::size_t>(lap.settling + iterations);
    for (Rank rank = 0; lap.fetch && rank < team_.size(); ++rank)
      entrant.series.wrong += question_.wrong({rank, nullptr}, *entrant.contestant, iteration_ - 1);
    keep(entrant, stamps, 0, static_cast<std::size_t>(iterations));
  }

  static int settling(int iterations) { return std::clamp(iterations / settling_share, 1, most_settling); }

  // Does what one caller does in a lap.
  void turns(const Seat& seat, Heat& heat) {
    std::vector<Stamp>& mine = heat.stamps[static_cast<std::size_t>(seat.rank)];
    for (std::size_t turn = 0; turn < heat.entrants.size(); ++turn) {
      const std::size_t place = (turn + laps_) % heat.entrants.size();
      Entrant& entrant = *heat.entrants[place];
      entrant.contestant->prepare(seat);
      Iteration iteration = heat.first + place * static_cast<std::size_t>(heat.settling + heat.iterations);
      for (int i = -heat.settling; i < heat.iterations; ++i, ++iteration) {
        const bool fresh = effort_.loop == Loop::completion || i == -heat.settling;
        const Stamp stamp = call(seat, heat, entrant, fresh, iteration);
        if (i >= 0) mine[place * heat.calls() + static_cast<std::size_t>(i)] = stamp;
        if (seat.rank == 0 && i == -heat.settling && question_.collective &&
            entrant.contestant->by == "vnode") {
          entrant.contestant->algorithm = seat.node->last_algorithm();
          entrant.contestant->segments = seat.node->last_segments();
        }
        heat.gate->meet(seat);
        if (checked(i, heat.iterations)) check(seat, heat, entrant, iteration);
      }
      entrant.contestant->finish(seat);
    }
  }

  bool checked(int i, int iterations) const {
    return effort_.checks ? i >= 0 && counted_ + i < *effort_.checks : i + 1 == iterations;
  }

  Stamp call(const Seat& seat, Heat& heat, const Entrant& entrant, bool fresh, Iteration iteration) {
    if (fresh) rewrite(seat, heat.host, iteration);
    if (effort_.cold > 0) for_own(seat, heat.host, [&](const Seat& own) { eviction_.walk(own.rank); });
    Gate::Passage passage{};
    if (effort_.loop == Loop::osu) {
      if (fresh) heat.gate->meet(seat);
      // The barrier that MPI's programs have here is MPI's.
      if (seat.node) seat.node->barrier();
      passage.deadline = passage.entry = now_after();
    } else {
      passage = heat.gate->release(seat);
    }
    for (int call = 0; call < entrant.batch; ++call) entrant.contestant->call(seat);
    return {passage.deadline, passage.entry, now_after()};
  }

  // Calls each(seat) for all whose data this caller looks after.
  template <class Each>
  void for_own(const Seat& seat, const Host& host, const Each& each) {
    if (!host.one_caller()) return each(seat);
    host.for_every_rank(team_.size(), [&](Rank rank) { each(Seat{rank, nullptr}); });
  }

  void rewrite(const Seat& seat, const Host& host, Iteration iteration) {
    for_own(seat, host, [&](const Seat& own) { question_.rewrite(own, iteration); });
  }

  // Checks the result. A batch, and OSU's loop, leave the vectors as several calls have made them, so one
  // more call on new data is checked.
  void check(const Seat& seat, Heat& heat, Entrant& entrant, Iteration iteration) {
    Contestant& contestant = *entrant.contestant;
    if (!contestant.delivers) return;
    if (entrant.batch > 1 || effort_.loop == Loop::osu) {
      rewrite(seat, heat.host, iteration);
      heat.gate->meet(seat);
      contestant.call(seat);
      heat.gate->meet(seat);
    }
    for_own(seat, heat.host, [&](const Seat& own) {
      const std::size_t wrong = question_.wrong(own, contestant, iteration);
      std::atomic_ref{entrant.series.wrong}.fetch_add(wrong, std::memory_order_relaxed);
    });
    heat.gate->meet(seat);
  }

  void keep(Entrant& entrant, const Stamps& stamps, std::size_t first, std::size_t calls) {
    entrant.series.keep(stamps, first, calls, effort_.loop, entrant.contestant->repeats * entrant.batch);
  }

  Team& team_;
  Question& question_;
  const Effort effort_;
  Gate gate_, alone_;
  Eviction eviction_;
  std::vector<Entrant> entrants_;
  Iteration iteration_ = 0;
  std::size_t laps_ = 0;
  int counted_ = 0;    // calls of each, since the warm-up
  bool first_ = true;  // lap
};

using SteadyClock = std::chrono::steady_clock;

// Returns the iterations of each lap.
std::vector<int> laps(int iterations) {
  std::vector<int> laps(static_cast<std::size_t>(std::min(usual_laps, iterations)));
  for (int i = 0; i < iterations; ++i) ++laps[static_cast<std::size_t>(i) % laps.size()];
  return laps;
}

}  // namespace

const Host team_host{[](Team& team, const std::function<void(const Seat&)>& body) {
  team.run([&](Node& me) { body({me.rank(), &me}); });
}};

std::vector<double> Timings::limit() const {
  std::vector<double> largest;
  for (const ChoiceTimes& limit : limits) {
    largest.resize(limit.medians.size(), 0);
    for (std::size_t lap = 0; lap < largest.size(); ++lap) {
      const double us = limit.medians[lap];
      // Nothing is known of a lap in which one of them was not measured: NaN stays.
      if (std::isnan(us) || us > largest[lap]) largest[lap] = us;
    }
  }
  return largest;
}

Timings measure(Team& team, Question& question, const Effort& effort,
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
    plan = laps(static_cast<int>(std::clamp<double>(effort.seconds / each, effort.least, 2000)));
    contest.begin();
  }
  for (std::size_t lap = 0; lap < plan.size(); ++lap) {
    contest.lap(plan[lap]);
    if (measured) measured(static_cast<double>(lap + 1) / static_cast<double>(plan.size()));
  }
  for (int more = 0; more < most_more_laps && contest.lacking(); ++more) contest.lap(plan.back());
  return contest.timings();
}

}  // namespace vnode
