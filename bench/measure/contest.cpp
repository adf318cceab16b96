#include "measure/contest.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <span>

#include "measure/entrant.hpp"
#include "measure/gate.hpp"
#include "measure/openmp_host.hpp"
#include "measure/tbb_host.hpp"

namespace vnode::bench {
namespace {

constexpr int usual_laps = 10;
constexpr int probes = 2;
constexpr int most_more_laps = 10;
// A contestant's first calls of a lap undo what the one before has done to caches and branch predictors.
constexpr int settling_share = 4, most_settling = 8;

// Those of a lap who are called by the same threads, one after the other.
struct Field {
  Host host;
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
        entrants_(entrants(question)) {}

  // Everybody is called `iterations` times; the times are kept as a lap of each.
  void lap(int iterations) {
    for (const Host host : {Host::team, Host::openmp, Host::tbb}) lap(host, iterations);
    for (Entrant& entrant : entrants_)
      if (entrant.running && entrant.contestant->host == Host::process) elsewhere(entrant, iterations);
    counted_ += iterations;
    first_ = false;
  }

  void begin() {
    bench::begin(entrants_, question_, effort_.core_each);
    counted_ = 0;
  }
  bool lacking() const { return bench::lacking(entrants_); }
  Outcome outcome() { return bench::outcome(entrants_, question_); }

 private:
  void lap(Host host, int iterations) {
    Field field{host,
                {},
                settling(iterations),
                iterations,
                iteration_,
                {},
                Stamps(host == Host::tbb ? 1 : static_cast<std::size_t>(team_.size()))};
    field.gate = host == Host::tbb ? &alone_ : &gate_;
    for (Entrant& entrant : entrants_)
      if (entrant.running && entrant.contestant->host == host) field.entrants.push_back(&entrant);
    if (field.entrants.empty()) return;
    for (auto& of_rank : field.stamps) of_rank.resize(field.entrants.size() * field.calls());
    if (host == Host::openmp)
      run_openmp(team_, [&](const Seat& seat) { turns(seat, field); });
    else if (host == Host::tbb)
      run_tbb(team_, [&] { turns({0, nullptr}, field); });
    else
      team_.run([&](Node& me) { turns({me.rank(), &me}, field); });
    iteration_ += field.entrants.size() * static_cast<std::size_t>(field.settling + iterations);
    ++laps_;
    for (std::size_t place = 0; place < field.entrants.size(); ++place)
      keep(*field.entrants[place], field.stamps, place * field.calls(), field.calls());
  }

  // In another process.
  void elsewhere(Entrant& entrant, int iterations) {
    const Lap lap{.first = iteration_,
                  .settling = settling(iterations),
                  .iterations = iterations,
                  .batch = entrant.batch,
                  .loop = effort_.loop,
                  .core_each = effort_.core_each,
                  .fetch = entrant.contestant->delivers && (effort_.checks ? *effort_.checks > 0 : first_)};
    const Stamps stamps = entrant.contestant->lap(lap);
    iteration_ += static_cast<std::size_t>(lap.settling + iterations);
    for (Rank rank = 0; lap.fetch && rank < team_.size(); ++rank)
      entrant.series.wrong += question_.wrong({rank, nullptr}, *entrant.contestant, iteration_ - 1);
    keep(entrant, stamps, 0, static_cast<std::size_t>(iterations));
  }

  static int settling(int iterations) { return std::clamp(iterations / settling_share, 1, most_settling); }

  // What one caller does in a lap.
  void turns(const Seat& seat, Field& field) try {
    std::vector<Stamp>& mine = field.stamps[static_cast<std::size_t>(seat.rank)];
    for (std::size_t turn = 0; turn < field.entrants.size(); ++turn) {
      const std::size_t place = (turn + laps_) % field.entrants.size();
      Entrant& entrant = *field.entrants[place];
      entrant.contestant->prepare(seat);
      Iteration iteration = field.first + place * static_cast<std::size_t>(field.settling + field.iterations);
      for (int i = -field.settling; i < field.iterations; ++i, ++iteration) {
        const bool fresh = effort_.loop == Loop::completion || i == -field.settling;
        const Stamp stamp = call(seat, field, entrant, fresh, iteration);
        if (i >= 0) mine[place * field.calls() + static_cast<std::size_t>(i)] = stamp;
        if (seat.rank == 0 && i == -field.settling && question_.collective &&
            entrant.contestant->by == "vnode") {
          entrant.contestant->algorithm = seat.node->last_algorithm();
          entrant.contestant->segments = seat.node->last_segments();
        }
        field.gate->meet(seat.rank);
        if (checked(i, field.iterations)) check(seat, field, entrant, iteration);
      }
      entrant.contestant->finish(seat);
    }
  } catch (const GateClosed&) {
    // Another caller has failed: its exception is the one to end with, whoever is first out.
  } catch (...) {
    field.gate->close();
    throw;
  }

  bool checked(int i, int iterations) const {
    return effort_.checks ? i >= 0 && counted_ + i < *effort_.checks : i + 1 == iterations;
  }

  Stamp call(const Seat& seat, Field& field, const Entrant& entrant, bool fresh, Iteration iteration) {
    if (fresh) rewrite(seat, field.host, iteration);
    Gate::Passage passage{};
    if (effort_.loop == Loop::osu) {
      if (fresh) field.gate->meet(seat.rank);
      // The barrier that MPI's programs have here is MPI's.
      if (seat.node) seat.node->barrier();
      passage.deadline = passage.entry = now_after();
    } else {
      passage = field.gate->release(seat.rank);
    }
    for (int call = 0; call < entrant.batch; ++call) entrant.contestant->call(seat);
    return {passage.deadline, passage.entry, now_after()};
  }

  // Calls each(seat) for all whose data this caller looks after.
  template <class Each>
  void for_own(const Seat& seat, Host host, const Each& each) {
    if (host != Host::tbb) return each(seat);
    for_every_rank(team_.size(), [&](Rank rank) { each(Seat{rank, nullptr}); });
  }

  void rewrite(const Seat& seat, Host host, Iteration iteration) {
    for_own(seat, host, [&](const Seat& own) { question_.rewrite(own, iteration); });
  }

  // A batch, and OSU's loop, leave the vectors as several calls have made them: one call on new data can be
  // checked.
  void check(const Seat& seat, Field& field, Entrant& entrant, Iteration iteration) {
    Contestant& contestant = *entrant.contestant;
    if (!contestant.delivers) return;
    if (entrant.batch > 1 || effort_.loop == Loop::osu) {
      rewrite(seat, field.host, iteration);
      field.gate->meet(seat.rank);
      contestant.call(seat);
      field.gate->meet(seat.rank);
    }
    for_own(seat, field.host, [&](const Seat& own) {
      const std::size_t wrong = question_.wrong(own, contestant, iteration);
      std::atomic_ref{entrant.series.wrong}.fetch_add(wrong, std::memory_order_relaxed);
    });
    field.gate->meet(seat.rank);
  }

  void keep(Entrant& entrant, const Stamps& stamps, std::size_t first, std::size_t calls) {
    entrant.series.keep(stamps, first, calls, effort_.loop, entrant.contestant->repeats * entrant.batch);
  }

  Team& team_;
  Question& question_;
  const Effort effort_;
  Gate gate_, alone_;
  std::vector<Entrant> entrants_;
  Iteration iteration_ = 0;
  std::size_t laps_ = 0;
  int counted_ = 0;    // calls of each, since the warm-up
  bool first_ = true;  // lap
};

using SteadyClock = std::chrono::steady_clock;

// The iterations of each lap.
std::vector<int> laps(int iterations) {
  std::vector<int> laps(static_cast<std::size_t>(std::min(usual_laps, iterations)));
  for (int i = 0; i < iterations; ++i) ++laps[static_cast<std::size_t>(i) % laps.size()];
  return laps;
}

}  // namespace

const ChoiceTimes& Outcome::called(std::string_view name) const {
  const auto limit = std::ranges::find(limits, name, &ChoiceTimes::name);
  return limit != limits.end() ? *limit : *std::ranges::find(beside, name, &ChoiceTimes::name);
}

std::vector<double> Outcome::limit() const {
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
