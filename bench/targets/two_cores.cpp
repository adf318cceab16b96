#include <chrono>
#include <fmt/format.h>

#include <vnode/model/machine.hpp>

#include "base/bytes.hpp"
#include "beside/busy_process.hpp"
#include "commands/team.hpp"
#include "questions/register.hpp"
#include "statistics/statistics.hpp"
#include "targets/target.hpp"
#include "timing/affinity.hpp"

namespace vnode::bench {
namespace {

// Returns a PU of each of two cores, or of one if there are no more.
Affinity two_cores() {
  const Machine machine = Machine::discover();
  Affinity pus;
  int last_core = -1;
  for (const int pu : machine.allowed_pus()) {
    const Pu& candidate = machine.pus[static_cast<std::size_t>(pu)];
    if (candidate.core == last_core) continue;
    last_core = candidate.core;
    pus.push_back(candidate.os_index);
    if (pus.size() == 2) break;
  }
  return pus;
}

Timings measured(const Options& options, const char* name, const Setting& setting) {
  const auto team = team_of(options, setting.nodes);
  Question question = operation(name).ask(setting);
  Effort effort = options.effort;
  effort.core_each = false;
  return measure(*team, question, effort);
}

Verdict barrier(const Options& options, int nodes) {
  const Timings outcome = measured(options, "barrier", {.nodes = nodes, .against = {"std"}, .limits = false});
  const double ours = median(outcome.series[0].medians()), peer = median(outcome.series[1].medians());
  return {.what = fmt::format("barrier at p = {} on two cores", nodes),
          .target = "std::barrier's time",
          .measured = ours,
          .against = peer,
          .bound = peer};
}

Verdict all_reduce(const Options& options, std::size_t bytes, double bound_us) {
  const Timings outcome =
      measured(options, "all_reduce", {.nodes = 8, .bytes = bytes, .seed = options.seed, .limits = false});
  return {.what = fmt::format("all_reduce {} at p = 8 on two cores", bytes_text(bytes)),
          .target = fmt::format("{} us", bound_us),
          .measured = median(outcome.series[0].medians()),
          .bound = bound_us};
}

}  // namespace

Verdicts on_two_cores(const Options& options) {
  const WithAffinity on_two{two_cores()};
  return {barrier(options, 8), barrier(options, 64), all_reduce(options, 8, 8),
          all_reduce(options, 1 << 20, 1500)};
}

Verdicts beside_another_process(const Options& options) {
  const WithAffinity on_two{two_cores()};
  const BusyProcess neighbour;
  const auto team = team_of(options, 64);
  const auto barriers = [](Node& me) {
    for (int i = 0; i < 1000; ++i) me.barrier();
  };
  team->run([](Node& me) { me.barrier(); });
  const auto start = std::chrono::steady_clock::now();
  const double before = neighbour.processor_seconds();
  team->run(barriers);
  const double had = neighbour.processor_seconds() - before;
  const std::chrono::duration<double> lasted = std::chrono::steady_clock::now() - start;
  return {{.what = "share of a core, beside 1,000 barriers at p = 64",
           .target = "at least 0.4",
           .measured = had / lasted.count(),
           .bound = 0.4,
           .at_least = true}};
}

}  // namespace vnode::bench
