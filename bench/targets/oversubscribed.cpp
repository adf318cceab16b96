#include <fmt/format.h>

#include "base/bytes.hpp"
#include "command_line/team.hpp"
#include "questions/register.hpp"
#include "statistics/statistics.hpp"
#include "targets/target.hpp"
#include "targets/two_cores.hpp"

namespace vnode::bench {

namespace {

Outcome measured(const Options& options, const char* name, const Setting& setting) {
  const auto team = team_of(options, setting.nodes);
  Question question = operation(name).ask(setting);
  Effort effort = options.effort;
  effort.core_each = false;
  return measure(*team, question, effort);
}

Verdict barrier(const Options& options, int nodes) {
  const Outcome outcome = measured(options, "barrier", {.nodes = nodes, .against = {"std"}, .limits = false});
  const double ours = median(outcome.series[0].medians()), peer = median(outcome.series[1].medians());
  return {.what = fmt::format("barrier at p = {} on two cores", nodes),
          .target = "std::barrier's time",
          .line_ns = {},
          .measured = ours,
          .against = peer,
          .bound = peer};
}

Verdict all_reduce(const Options& options, std::size_t bytes, double bound_us) {
  const Outcome outcome =
      measured(options, "all_reduce", {.nodes = 8, .bytes = bytes, .seed = options.seed, .limits = false});
  return {.what = fmt::format("all_reduce {} at p = 8 on two cores", bytes_text(bytes)),
          .target = fmt::format("{} us", bound_us),
          .line_ns = {},
          .measured = median(outcome.series[0].medians()),
          .against = {},
          .bound = bound_us};
}

}  // namespace

Verdicts on_two_cores(const Options& options) {
  const TwoCores two_cores;
  return {barrier(options, 8), barrier(options, 64), all_reduce(options, 8, 8),
          all_reduce(options, 1 << 20, 1500)};
}

}  // namespace vnode::bench
