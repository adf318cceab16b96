#include "cluster/contest.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "statistics/statistics.hpp"
#include "timing/clock.hpp"

namespace vnode::bench {
namespace {

constexpr int usual_laps = 10, probes = 2;
constexpr int settling = 2;        // calls of a turn that do not count: the turn before was others'
constexpr double batch_us = 1000;  // ways out of a barrier are some microseconds apart
constexpr int most_iterations = 2000;

double net_us(Ticks between) {
  const Clock& clock = the_clock();
  return clock.us(between - std::min(between, clock.cost));
}

}  // namespace

void ClusterContest::Turn::add(const Turn& other) {
  us.resize(other.us.size());
  for (std::size_t i = 0; i < us.size(); ++i) us[i] = std::max(us[i], other.us[i]);
  wrong += other.wrong;
}

ClusterContest::ClusterContest(Processes& processes, Cluster* cluster, Question& question,
                               std::vector<Contestant> peers, const Effort& effort)
    : processes_(processes),
      cluster_(cluster),
      question_(question),
      peers_(std::move(peers)),
      effort_(effort) {
  for (Contestant& contestant : question_.contestants) entrants_.push_back({&contestant, true});
  for (Contestant& peer : peers_) entrants_.push_back({&peer, false});
}

ClusterContest::Turn ClusterContest::calls(Entrant& entrant, const Seat& seat, int iterations,
                                           const std::function<void()>& meet) {
  Contestant& contestant = *entrant.contestant;
  Turn turn;
  contestant.prepare(seat);
  Iteration iteration = iteration_;
  for (int i = -settling; i < iterations; ++i, ++iteration) {
    question_.rewrite(seat, iteration);
    meet();
    const Ticks entry = now();
    for (int j = 0; j < entrant.batch; ++j) contestant.call(seat);
    const Ticks exit = now_after();
    if (i >= 0) turn.us.push_back(net_us(exit - entry) / entrant.batch);
  }
  if (seat.rank == 0 && entrant.of_nodes && question_.collective) {
    contestant.algorithm = seat.node->last_algorithm();
    contestant.segments = seat.node->last_segments();
  }
  // What several calls have made of the data cannot be checked; what one makes of new data can.
  question_.rewrite(seat, iteration);
  meet();
  contestant.call(seat);
  turn.wrong = question_.wrong(seat, contestant, iteration);
  contestant.finish(seat);
  return turn;
}

void ClusterContest::turn(Entrant& entrant, int iterations) {
  Turn here;
  if (!entrant.of_nodes) {
    here =
        calls(entrant, {processes_.rank(), nullptr}, iterations, [this] { MPI_Barrier(processes_.all()); });
  } else {
    if (cluster_ != nullptr) {
      std::mutex adding;
      cluster_->run([&](Node& me) {
        const Turn own = calls(entrant, {me.rank(), &me}, iterations, [&] { me.barrier(); });
        const std::lock_guard lock{adding};
        here.add(own);
      });
    }
    processes_.meet();
  }
  here.us.resize(static_cast<std::size_t>(iterations));
  MPI_Allreduce(MPI_IN_PLACE, here.us.data(), iterations, MPI_DOUBLE, MPI_MAX, processes_.all());
  MPI_Allreduce(MPI_IN_PLACE, &here.wrong, 1, MPI_UINT64_T, MPI_SUM, processes_.all());
  iteration_ += static_cast<Iteration>(settling + iterations + 1);
  entrant.series.laps.push_back(std::move(here.us));
  entrant.series.wrong += here.wrong;
}

void ClusterContest::lap(int iterations) {
  for (std::size_t i = 0; i < entrants_.size(); ++i)
    turn(entrants_[(i + laps_) % entrants_.size()], iterations);
  ++laps_;
}

// Sets batches by the times so far, which all processes have, and forgets them.
void ClusterContest::begin() {
  for (Entrant& entrant : entrants_) {
    const double us = median(entrant.series.all()) * entrant.contestant->repeats;
    entrant.batch = static_cast<int>(std::clamp(batch_us / us, 1.0, static_cast<double>(effort_.most_batch)));
    entrant.series.laps.clear();
  }
}

double ClusterContest::agreed(double of_process_0) const {
  MPI_Bcast(&of_process_0, 1, MPI_DOUBLE, 0, processes_.all());
  return of_process_0;
}

Timings ClusterContest::measure(const std::function<void(double)>& measured) {
  lap(std::max(effort_.warmup, 1));
  begin();
  int iterations = effort_.iterations.value_or(0);
  if (!effort_.iterations) {
    const auto start = std::chrono::steady_clock::now();
    lap(probes);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    begin();
    iterations = static_cast<int>(agreed(std::clamp<double>(
        effort_.seconds / (took.count() / (probes + settling + 1)), effort_.least, most_iterations)));
  }
  const int laps = std::min(usual_laps, iterations);
  for (int i = 0; i < laps; ++i) {
    lap((iterations + i) / laps);
    measured((i + 1.0) / laps);
  }
  return timings();
}

Timings ClusterContest::timings() {
  Timings timings;
  for (Entrant& entrant : entrants_)
    if (entrant.of_nodes)
      timings.series.push_back(entrant.series);
    else
      timings.beside.push_back({"mpi", entrant.contestant->by, 1, entrant.series, entrant.series.medians()});
  return timings;
}

}  // namespace vnode::bench
