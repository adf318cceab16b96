#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "commands/guidelines.hpp"
#include "commands/rows.hpp"
#include "commands/team.hpp"
#include "data/pattern.hpp"
#include "limits/limits.hpp"
#include "questions/register.hpp"
#include "report/text.hpp"
#include "targets/target.hpp"

namespace vnode::bench {
namespace {

constexpr Term limit(double factor, double extra_ns = 0) { return {&Observation::limit, factor, extra_ns}; }
constexpr Term mpi(double factor) { return {&Observation::mpi, factor}; }
constexpr Term thread_mpi(double factor) { return {&Observation::thread_mpi, factor}; }

// Returns the promises in docs/measuring.md 8.1 and 8.2.
std::vector<Promise> promises(std::string_view operation, std::size_t bytes) {
  if (operation != "all_reduce" && bytes <= kib)
    return {{"0.6 MPI and 0.8 thread-MPI, or 1.3 limit", {mpi(0.6), thread_mpi(0.8)}, limit(1.3)}};
  if (operation != "all_reduce")
    return {{"0.6 MPI and 0.9 thread-MPI, or 1.15 limit", {mpi(0.6), thread_mpi(0.9)}, limit(1.15)}};
  if (bytes <= line_payload)
    return {{"1.4 exchange + 30 ns", {limit(1.4, 30)}}, {"0.5 best MPI", {mpi(0.5)}}};
  return {{"1.1 limit: combine and push", {limit(1.1)}},
          {"0.33 best MPI", {mpi(0.33)}},
          {"0.5 thread-MPI (scaled)", {thread_mpi(0.5)}}};
}

std::vector<std::size_t> sizes(const Operation& operation) {
  if (!operation.sized) return {0};
  return {8, operation.name == "all_reduce" ? 48 : kib, 64 * kib, mib, 8 * mib};
}

// Adds a copy by the receiver alone, on separate vectors, which is measured beside: the figures of reference
// are scaled by it.
void gauge_copying(Question& question, std::size_t bytes) {
  const auto data = std::make_shared<const Vectors>(2, bytes);
  const auto pattern = std::make_shared<const Pattern>(Arithmetic::f64, std::nullopt, 1);
  question.beside.push_back(copying_alone({bytes, {{0, 1, (*data)[0], (*data)[1]}}, {}}));
  for (Contestant& variant : question.beside.back().variants) variant.delivers = false;
  question.rewrite = [=, before = question.rewrite](const Seat& seat, Iteration iteration) {
    before(seat, iteration);
    pattern->write((*data)[seat.rank], bytes, seat.rank, iteration);
  };
}

// Returns the factor that turns microseconds of the other day into today's.
double scale(const Timings& outcome, std::size_t bytes) {
  const auto now = [&](const char* name) { return median(outcome.called(name).series.all()); };
  if (const auto copy = page_copy_us(bytes)) return now("copy alone") / *copy;
  return now("line") / page_line_us;
}

Verdict reduce_beside_all_reduce(Team& team, const Options& options, std::size_t bytes) {
  const auto guideline = std::ranges::find(guidelines(), "reduce <= all_reduce", &Guideline::text);
  const Consistency both = consistency(team, options, *guideline, bytes, true);
  return {.what = with_bytes("reduce", bytes),
          .target = "all_reduce's time",
          .measured = both.ratio * both.other_us,
          .against = both.other_us,
          .bound = both.other_us};
}

class Operations {
 public:
  Operations(const Options& options, const std::shared_ptr<MpiPeers>& peers)
      : options_(options), peers_(peers), team_(team_of(options, 2)) {}

  Team& team() { return *team_; }

  void judge(const Operation& operation, std::size_t bytes, Verdicts& verdicts) {
    const Timings ours = measured(operation, bytes, Loop::completion);
    const Observation seen = observation(ours);
    conclude(operation, bytes, "", seen, verdicts);

    Observation osu = observation(measured(operation, bytes, Loop::osu));
    osu.limit.assign(osu.ours.size(), median(numbers(ours.limit())));
    const PageFigure page = page_figure(operation.name, bytes);
    const double scaled = scale(ours, bytes);
    if (page.thread_mpi) osu.thread_mpi.assign(osu.ours.size(), *page.thread_mpi * scaled);
    if (!peers_ && page.mpi) {
      osu.mpi.assign(osu.ours.size(), *page.mpi * scaled);
      osu.configuration = "figures of reference, scaled";
    }
    conclude(operation, bytes, ", OSU's loop", osu, verdicts);
  }

 private:
  Timings measured(const Operation& operation, std::size_t bytes, Loop loop) {
    Setting setting{.nodes = 2, .bytes = bytes, .seed = options_.seed, .limits = loop == Loop::completion};
    setting.mpi = peers_;
    if (peers_) setting.against = {"mpi"};
    Question question = operation.ask(setting);
    question.beside.push_back(line_transfer(2, 1));
    if (loop == Loop::completion && page_copy_us(bytes)) gauge_copying(question, bytes);
    Effort effort = options_.effort;
    effort.loop = loop;
    return measure(*team_, question, effort);
  }

  Observation observation(const Timings& outcome) const {
    Observation seen;
    seen.ours = outcome.series.front().medians();
    seen.line = outcome.called("line").medians;
    seen.limit = outcome.limit();
    if (peers_) {
      seen.mpi = outcome.called("mpi").medians;
      seen.configuration = outcome.called("mpi").variant;
    }
    return seen;
  }

  static void conclude(const Operation& operation, std::size_t bytes, const char* loop,
                       const Observation& seen, Verdicts& verdicts) {
    for (const Promise& promise : promises(operation.name, bytes)) {
      const std::vector<double> bound = bounds(promise, seen);
      // Limits are of our loop.
      if (bound.empty() || (*loop != '\0' && promise.all_of.front().of == &Observation::limit)) continue;
      for (const Regime& regime : regimes(seen.line)) {
        const auto quotient = [&](const std::vector<double>& us) -> std::optional<double> {
          if (us.empty()) return std::nullopt;
          return middle(seen.ours, regime) / middle(us, regime);
        };
        const std::vector<double>& against = seen.*promise.all_of.front().of;
        verdicts.push_back(
            {.what = with_bytes(operation.name, bytes) + loop,
             .target = promise.text,
             .line_ns = middle(seen.line, regime) * 1000,
             .measured = middle(seen.ours, regime),
             .against = against.empty() ? std::nullopt : std::optional{middle(against, regime)},
             .bound = middle(bound, regime),
             .to_limit = quotient(seen.limit),
             .to_mpi = quotient(seen.mpi),
             .to_thread_mpi = quotient(seen.thread_mpi),
             .configuration = seen.configuration});
      }
    }
  }

  const Options& options_;
  const std::shared_ptr<MpiPeers> peers_;
  const std::unique_ptr<Team> team_;
};

}  // namespace

Verdicts operations_between_two_cores(const Options& options, const std::shared_ptr<MpiPeers>& peers) {
  Operations measurement{options, peers};
  Verdicts verdicts;
  for (const Collective collective : collectives())
    for (const std::size_t bytes : sizes(operation(enums::name(collective))))
      measurement.judge(operation(enums::name(collective)), bytes, verdicts);
  for (const std::size_t bytes : sizes(operation("reduce")))
    verdicts.push_back(reduce_beside_all_reduce(measurement.team(), options, bytes));
  return verdicts;
}

}  // namespace vnode::bench
