#include <fmt/format.h>

#include "command_line/team.hpp"
#include "measure/statistics.hpp"
#include "questions/register.hpp"
#include "targets/target.hpp"
#include "targets/two_cores.hpp"

namespace vnode::bench {

Verdicts barriers_on_two_cores(const Options& options) {
  const TwoCores two_cores;
  Verdicts verdicts;
  for (const int nodes : {8, 64}) {
    const auto team = team_of(options, nodes);
    Question question = operation("barrier").ask({.nodes = nodes, .against = {"std"}, .limits = false});
    Effort effort = options.effort;
    effort.core_each = false;
    const Outcome outcome = measure(*team, question, effort);
    const double ours = median(outcome.series[0].medians()), peer = median(outcome.series[1].medians());
    verdicts.push_back({.what = fmt::format("barrier at p = {} on two cores", nodes),
                        .target = "std::barrier's time",
                        .line_ns = {},
                        .measured = ours,
                        .against = peer,
                        .bound = peer});
  }
  return verdicts;
}

}  // namespace vnode::bench
