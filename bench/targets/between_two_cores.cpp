#include <cmath>
#include <fmt/format.h>
#include <functional>

#include "collectives/question.hpp"
#include "commands/team.hpp"
#include "limits/limits.hpp"
#include "questions/register.hpp"
#include "report/text.hpp"
#include "statistics/statistics.hpp"
#include "targets/target.hpp"

namespace vnode::bench {
namespace {

/// A promise about two cores, whose bound is factor x the limit + extra_ns.
struct PromiseOfTwo {
  const char* operation;
  std::size_t bytes;
  double factor, extra_ns;
  const char* limit;  ///< by name; nullptr: the largest
  const char* text;
};

// docs/measuring.md 8.1.
constexpr PromiseOfTwo promises_of_two[]{
    {"send", 8, 1.15, 15, "line", "1.15 line + 15 ns"},
    {"send", 48, 1.15, 15, "line", "1.15 line + 15 ns"},
    {"barrier", 0, 1.3, 20, "exchange", "1.3 exchange + 20 ns"},
    {"broadcast", 8, 1.2, 30, "line", "1.2 line + 30 ns"},
    {"broadcast", 48, 1.2, 30, "line", "1.2 line + 30 ns"},
    {"reduce", 8, 1.2, 40, "line", "1.2 line + 40 ns"},
    {"reduce", 48, 1.2, 40, "line", "1.2 line + 40 ns"},
    {"broadcast", 65536, 1.15, 0, nullptr, "1.15 limit"},
    {"broadcast", 1 << 20, 1.15, 0, nullptr, "1.15 limit"},
    {"broadcast", 8 << 20, 1.15, 0, nullptr, "1.15 limit"},
    {"reduce", 65536, 1.15, 0, nullptr, "1.15 limit"},
    {"reduce", 1 << 20, 1.15, 0, nullptr, "1.15 limit"},
    {"reduce", 8 << 20, 1.15, 0, nullptr, "1.15 limit"},
};

// thread-MPI cannot be run here: 0.22 us where a line took the middle of 105 to 150 ns
// (docs/measuring.md 8.4).
constexpr double thread_mpi_barrier_per_line = 0.22 / 0.1275;

// The bound is taken lap by lap.
Verdict verdict(std::string what, std::string target, const std::vector<double>& ours,
                const std::vector<double>& against, double factor, double extra_ns,
                const std::vector<double>& line, const Regime& regime) {
  std::vector<double> bounds;
  for (const double us : against) bounds.push_back(factor * us + extra_ns / 1000);
  return {.what = std::move(what),
          .target = std::move(target),
          .line_ns = middle(line, regime) * 1000,
          .measured = middle(ours, regime),
          .against = middle(against, regime),
          .bound = middle(bounds, regime)};
}

// Changes the question, so that whoever gets a result reads it before the clock is stopped.
void read_results(Question& question, const Vectors& result, Rank reader) {
  for (Contestant& contestant : question.contestants)
    contestant = with_first_read(std::move(contestant), result, {reader});
  for (Limit& limit : question.limits)
    if (limit.name != "line")
      for (Contestant& variant : limit.variants)
        variant = with_first_read(std::move(variant), result, {reader});
}

void against_limit(Team& team, const Options& options, const PromiseOfTwo& promise, bool with_read,
                   Verdicts& verdicts) {
  Setting setting{.nodes = 2, .bytes = promise.bytes, .seed = options.seed};
  const bool barrier = promise.bytes == 0;
  if (barrier) setting.against = {"std", "openmp"};
  Question question;
  SharedTask task;  // of which the result is read
  if (with_read) {
    const bool reduce = std::string_view{promise.operation} == "reduce";
    task = bench::task(reduce ? Collective::reduce : Collective::broadcast, false, setting);
    question = collective_question(task);
    question.contestants = {collective_vnode(task, {})};
    read_results(question, *task->out, reduce ? 0 : 1);
  } else {
    question = operation(promise.operation).ask(setting);
  }
  if (barrier) question.limits.push_back(line_transfer(2, 1));
  const Timings outcome = measure(team, question, options.effort);
  const std::vector<double> line = outcome.called("line").medians;
  const std::vector<double> limit = promise.limit ? outcome.called(promise.limit).medians : outcome.limit();
  const std::vector<double> ours = outcome.series.front().medians();
  const std::string what =
      with_bytes(promise.operation, promise.bytes) + (with_read ? " and first read" : "");
  for (const Regime& regime : regimes(line)) {
    verdicts.push_back(
        verdict(what, promise.text, ours, limit, promise.factor, promise.extra_ns, line, regime));
    if (!barrier) continue;
    for (std::size_t i = 1; i < outcome.series.size(); ++i)
      verdicts.push_back(verdict(what, fmt::format("faster than {}", question.contestants[i].by), ours,
                                 outcome.series[i].medians(), 1, 0, line, regime));
    std::vector<double> thread_mpi = line;
    for (double& us : thread_mpi) us *= thread_mpi_barrier_per_line;
    verdicts.push_back(
        verdict(what, "faster than thread-MPI (scaled)", ours, thread_mpi, 1, 0, line, regime));
  }
}

}  // namespace

Verdicts between_two_cores(const Options& options) {
  const auto team = team_of(options, 2);
  Verdicts verdicts;
  for (const PromiseOfTwo& promise : promises_of_two) against_limit(*team, options, promise, false, verdicts);
  for (const PromiseOfTwo& promise : promises_of_two)
    if (promise.bytes > line_payload) against_limit(*team, options, promise, true, verdicts);
  return verdicts;
}

}  // namespace vnode::bench
